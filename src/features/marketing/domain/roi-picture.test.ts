import { expect, test } from 'vitest'
import { grouped } from '#platform/domain/numbers.ts'
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
