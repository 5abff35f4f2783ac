import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardOf } from './card.ts'
import { lamp, leading, setHeadline, space, wordsOf } from './headline.ts'
import { propertiesOf, resolved } from './stylesheet.ts'

describe('a headline in its box', () => {
  const box = { width: 1000, height: 280 }
  const widthOf = (word: string): number => word.length * 0.55
  const set = (headline: string) => setHeadline(wordsOf(headline), widthOf, box)
  const headlines = fc
    .array(fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'm') }), {
      minLength: 1,
      maxLength: 24,
    })
    .map((words) => words.join(' '))

  test('never leaves it, and keeps every word in its place', () => {
    fc.assert(
      fc.property(headlines, (headline) => {
        const { size, lines } = set(headline)
        expect(lines.flat()).toEqual(wordsOf(headline))
        expect(lines.length * size * leading).toBeLessThanOrEqual(box.height)
        for (const line of lines) {
          const width = line.reduce((sum, word) => sum + widthOf(word), (line.length - 1) * space)
          expect((width + lamp.gap + lamp.diameter) * size).toBeLessThanOrEqual(box.width + 1e-9)
        }
      }),
    )
  })

  test('is the larger the shorter it is', () => {
    expect(set('Every call answered').size).toBeGreaterThan(set('Every call answered, every single day').size)
  })

  test('is broken into even lines, and never between an ampersand and what follows it', () => {
    expect(set('Three steps, then you are connected').lines).toEqual([
      ['Three', 'steps,', 'then'],
      ['you', 'are', 'connected'],
    ])
    expect(set('Restaurants & Cafes').lines).toEqual([['Restaurants'], ['&\u00a0Cafes']])
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
      '<section class="enamel hotel"><svg class="bigicon" viewBox="0 0 40 40"><path d="M5 9v22"></path></svg>'
    expect(cardOf(head + header)?.panel).toEqual({ enamel: 'hotel', icon: 'M5 9v22' })
  })

  test('is none where the page names no image', () => {
    expect(cardOf('<title>Portal</title>')).toBeUndefined()
  })
})

describe("the pages' own styles, for a picture", () => {
  const css = ':root {\n  --ink: #111; /* text */\n  --line: #ccc;\n}\n.inverse {\n  --ink: #eee;\n}'

  test('are read block by block', () => {
    expect(propertiesOf(css, ':root')).toEqual({ '--ink': '#111', '--line': '#ccc' })
    expect(propertiesOf(css, '.inverse')).toEqual({ '--ink': '#eee' })
  })

  test('hold their values, with fallbacks for what is not given', () => {
    expect(resolved('a{fill:var(--hole, var(--ink))}', { '--ink': '#111' })).toBe('a{fill:#111}')
    expect(resolved('a{fill:var(--hole, var(--ink))}', { '--ink': '#111', '--hole': '#000' })).toBe(
      'a{fill:#000}',
    )
    expect(() => resolved('a{fill:var(--nothing)}', {})).toThrow('--nothing')
  })
})
