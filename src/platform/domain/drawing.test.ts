import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cordPath, dotField, dotWave } from './drawing.ts'
import { minutesPerDot, plans } from '#plans/domain/plans.ts'

/** Counts the dots of a path: one at the start of each line, and one more per 8 units of its length. */
function dotsOf(path: string): number {
  const runs = [...path.matchAll(/M[\d.]+ [\d.]+[hv]([\d.]+)/g)]
  return runs.reduce((sum, [, length]) => sum + Math.floor(Number(length) / 8) + 1, 0)
}

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
      const { viewBox, field, ahead, played } = dotWave(voice, { columns: 50, reach: 5 })
      expect(viewBox).toBe('0 0 400 88')
      expect(dotsOf(field)).toBe(50 * 11)
      expect(played).toBe('')
      const columns = [...ahead.matchAll(/M([\d.]+) ([\d.]+)v([\d.]+)/g)]
      expect(columns).toHaveLength(50)
      for (const [, , top, length] of columns) {
        expect(Number(top)).toBeGreaterThanOrEqual(4)
        expect(Number(top) + Number(length)).toBeLessThan(88)
      }
    },
  )

  test('parts what has been played from what is still to come', () => {
    const whole = dotWave('friendly').ahead
    const { played, ahead } = dotWave('friendly', { played: 12 })
    expect(played.match(/M/g)).toHaveLength(12)
    expect(played + ahead).toBe(whole)
  })

  test('voices differ', () => {
    const shapes = (['friendly', 'professional', 'energetic'] as const).map((voice) => dotWave(voice).ahead)
    expect(new Set(shapes).size).toBe(3)
  })
})

test('a cord hangs with vertical tangents at both plugs', () => {
  expect(cordPath({ x: 42, y: 34 }, { x: 490, y: 34 }, 118)).toBe('M42 34C42 152 490 152 490 34')
})
