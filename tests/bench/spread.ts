/** The spread of several readings. */
export interface Spread {
  median: number
  min: number
  max: number
}

export function spreadOf(readings: readonly number[]): Spread {
  const sorted = readings.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? NaN
  const middle = (sorted.length - 1) / 2
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}

/** Writes a spread as `812 (790–901)`, or the median alone if all readings are the same. */
export function shown({ median, min, max }: Spread, digits = 0): string {
  const text = (value: number): string => value.toFixed(digits)
  return min === max ? text(median) : `${text(median)} (${text(min)}–${text(max)})`
}

const grouped = new Intl.NumberFormat('en-US')
export const bytes = (value: number): string => grouped.format(Math.round(value))
