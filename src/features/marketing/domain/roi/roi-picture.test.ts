import { expect, test } from 'vitest'
import { light, mark } from '#platform/domain/identity.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { roiPicture } from './roi-picture.ts'
import { roiTexts } from './roi-texts.ts'
import { calculateRoi, roiExample, roiLimits } from './roi.ts'

const extreme = (end: 'min' | 'max') =>
  Object.fromEntries(Object.entries(roiLimits).map(([field, limits]) => [field, limits[end]])) as never

test.each([
  ['the example', roiExample],
  ['the smallest numbers', extreme('min')],
  ['the largest numbers', extreme('max')],
])('the picture of %s has the figures of the page', (_, inputs) => {
  const words = [...roiPicture(inputs).matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text)
  const { label, figure, verdict, plan, cost, price, priceOf } = roiTexts(calculateRoi(inputs))
  expect(words).toEqual(expect.arrayContaining([label.toUpperCase(), figure, plan, cost, price, priceOf]))
  expect(words.join(' ')).toContain(verdict)
  for (const number of Object.values(inputs))
    expect(words.some((text) => text?.match(/[\d.,]+/)?.[0] === grouped(number))).toBe(true)
})

test('the picture has the mark, and the colours of the light scheme alone', () => {
  const picture = roiPicture(roiExample)
  const drawn = picture.replaceAll(/fill="#\w+"/g, '')
  for (const [shape] of mark.shapes.replaceAll(/ class="\w+"/g, '').matchAll(/ (?:d|r|points)="[^"]+"/g))
    expect(drawn).toContain(shape)
  expect(picture).not.toContain('class=')
  const own = Object.values(light)
  expect(picture.match(/#[0-9a-f]{6}\b/g)?.filter((colour) => !own.includes(colour))).toEqual([])
})
