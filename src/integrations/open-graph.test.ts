import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openGraphImage as canvas } from '#marketing/domain/open-graph.ts'
import { draw, linesOf } from './open-graph-card.ts'
import { cardOf } from './open-graph.ts'

describe('the lines of a headline', () => {
  const room = { width: 1000, height: 280 }

  test('keep every word in its place', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'm', '-', '.', '(') })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 24 }), (words) => {
        expect(linesOf(words.join(' '), room).join(' ')).toBe(words.join(' '))
      }),
    )
  })

  test('are even, and never end with an ampersand', () => {
    expect(linesOf('Three steps, then you are connected', room)).toEqual([
      'Three steps, then',
      'you are connected',
    ])
    expect(linesOf('Restaurants & Cafes', room)).toEqual(['Restaurants', '&\u00a0Cafes'])
  })

  test('are the more, the longer it is', () => {
    expect(linesOf('Privacy Policy', room)).toHaveLength(1)
    expect(linesOf('Every call answered, in every language your guests speak', room)).toHaveLength(3)
  })
})

describe('a picture', () => {
  const panel = { enamel: 'hotel', icon: 'M5 9v22' }

  test.each([
    ['one word', 'Home'],
    ['one long word', 'Automobilzulieferergesellschaft'],
    ['wide letters', 'WWWW MMMM @@@@ WORKSHOPS'],
    ['narrow letters', 'fill it till it will'],
    [
      'a whole sentence',
      'How a front desk that never sleeps answers every call in every language of its guests',
    ],
  ])('has room for %s', async (_, headline) => {
    const file = '/og/a.png'
    for (const card of [
      { file, headline },
      { file, headline, panel },
    ]) {
      const image = await draw(card)
      expect(await sharp(image).metadata()).toMatchObject(canvas)
      const isBare = async (left: number, top: number, width: number, height: number) => {
        const part = sharp(image).removeAlpha().extract({ left, top, width, height })
        return (await part.raw().toBuffer()).every((value, at, all) => value === all[at % 3])
      }
      const right = 'panel' in card ? 924 : 1132
      expect(await isBare(50, 102, right - 50, 10), 'above').toBe(true)
      expect(await isBare(50, 424, right - 50, 8), 'below').toBe(true)
      expect(await isBare(50, 102, 12, 330), 'left').toBe(true)
      expect(await isBare(right, 102, 18, 330), 'right').toBe(true)
      expect(await isBare(62, 112, right - 62, 312), 'the headline').toBe(false)
    }
  })

  test('is not drawn with boxes for letters that its fonts lack', async () => {
    await expect(draw({ file: '/og/a.png', headline: 'Grüße, 受付' })).rejects.toThrow('受付')
  })
})

describe('the card of a page', () => {
  const meta = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`
  const head =
    meta('image', 'https://deskbell.test/og/a/b.png') + meta('image:alt', 'Bed &amp; &quot;Breakfast&quot;')

  test('says what the image is said to say', () => {
    expect(cardOf(head)).toEqual({ file: '/og/a/b.png', headline: 'Bed & "Breakfast"' })
  })

  test("stands on the enamel of the page's header, with its icon", () => {
    const header =
      '<section class="enamel bg-hotel"><svg class="size-22" viewBox="0 0 40 40"><path d="M5 9v22"></path></svg>'
    expect(cardOf(head + header)?.panel).toEqual({ enamel: 'hotel', icon: 'M5 9v22' })
  })

  test('is none if the page names no image', () => {
    expect(cardOf('<title>Portal</title>')).toBeUndefined()
  })
})
