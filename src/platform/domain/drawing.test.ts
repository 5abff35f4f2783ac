import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cordPath, dotField, dotWave } from './drawing.ts'
import { minutesPerDot, plans } from '#plans/domain/plans.ts'

/** Returns the lines of a path: where each begins, and its length. */
function linesOf(path: string): { x: number; y: number; length: number }[] {
  let [endX, endY] = [0, 0]
  const lines = path.matchAll(/([Mm])(-?[\d.]+) ?(-?[\d.]+)([hv])([\d.]+)/g)
  return [...lines].map(([, move, dx, dy, direction, units]) => {
    const [x, y] = move === 'M' ? [Number(dx), Number(dy)] : [endX + Number(dx), endY + Number(dy)]
    const length = Number(units)
    ;[endX, endY] = direction === 'h' ? [x + length, y] : [x, y + length]
    // Sums of tenths are not exact.
    return { x, y: Number(y.toFixed(1)), length }
  })
}

/** Counts the dots of a path: one at the start of each line, and one more per 8 units of its length. */
const dotsOf = (path: string): number =>
  linesOf(path).reduce((sum, { length }) => sum + Math.floor(length / 8) + 1, 0)

describe('dotField', () => {
  test('lights as many dots as it counts, and leaves the rest of the field unlit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (count) => {
        const { lit, unlit } = dotField(count)
        expect(dotsOf(lit)).toBe(count)
        expect(dotsOf(unlit)).toBe(100 - count)
      }),
    )
  })

  test('is full beyond its size and empty below nothing', () => {
    expect(dotField(250).unlit).toBe('')
    expect(dotsOf(dotField(250).lit)).toBe(100)
    expect(dotField(-3).lit).toBe('')
  })

  test('keeps to its columns and rows', () => {
    const { viewBox, lit, unlit } = dotField(7, 5, 3)
    expect(viewBox).toBe('0 0 40 24')
    expect(dotsOf(lit) + dotsOf(unlit)).toBe(15)
  })

  test.each(plans.map((plan) => [plan.name, plan.minutes] as const))(
    'shows the minutes of %s without a remainder',
    (_, minutes) => {
      expect(dotsOf(dotField(minutes / minutesPerDot).lit) * minutesPerDot).toBe(minutes)
    },
  )
})

describe('dotWave', () => {
  test.each(['friendly', 'professional', 'energetic', 'greeting'] as const)(
    '%s stays inside its field',
    (voice) => {
      const { viewBox, field, lit } = dotWave(voice, { columns: 50, reach: 5 })
      expect(viewBox).toBe('0 0 400 88')
      expect(dotsOf(field)).toBe(50 * 11)
      const columns = linesOf(lit)
      expect(columns.map(({ x }) => x)).toEqual(Array.from({ length: 50 }, (_, at) => 4 + 8 * at))
      for (const { y, length } of columns) {
        expect(y).toBeGreaterThanOrEqual(4)
        expect(y + length).toBeLessThan(88)
        // As far above the middle row as below it.
        expect(y + (length - 0.1) / 2).toBeCloseTo(44)
      }
    },
  )

  test('voices differ', () => {
    const shapes = (['friendly', 'professional', 'energetic'] as const).map((voice) => dotWave(voice).lit)
    expect(new Set(shapes).size).toBe(3)
  })
})

test('a cord hangs with vertical tangents at both plugs', () => {
  expect(cordPath({ x: 42, y: 34 }, { x: 490, y: 34 }, 118)).toBe('M42 34C42 152 490 152 490 34')
})
