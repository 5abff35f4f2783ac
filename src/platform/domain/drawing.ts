/**
 * The shapes of the drawings: cords, dot fields and dot waves, as SVG path data with dots 8 units apart. This file
 * holds geometry only; the classes in drawing.css set the colours.
 */

/** A jack: the radii of its two rings and of its hole. */
export const jack = { rings: [16, 11], hole: 6.5 } as const

/** The distance between two dots, and the offset of the first. */
const pitch = 8
const first = 4

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Returns the path of dots in a row: a line whose dash pattern shows one dot per `pitch`. */
const rowOfDots = (column: number, row: number, count: number): string =>
  `M${first + column * pitch} ${first + row * pitch}h${(count - 1) * pitch || ''}.1`

interface DotField {
  viewBox: string
  /** The path of the lit dots; empty if there are none. */
  lit: string
  /** The path of the unlit dots; empty if all are lit. */
  unlit: string
}

/** Draws a quantity as dots, filled row by row. A `count` beyond the field fills it; a negative one leaves it empty. */
export function dotField(count: number, columns = 20, rows = 5): DotField {
  let lit = ''
  let unlit = ''
  for (let row = 0; row < rows; row++) {
    const filled = Math.max(0, Math.min(columns, Math.round(count) - row * columns))
    if (filled > 0) lit += rowOfDots(0, row, filled)
    if (filled < columns) unlit += rowOfDots(filled, row, columns - filled)
  }
  return { viewBox: `0 0 ${columns * pitch} ${rows * pitch}`, lit, unlit }
}

const swell = (at: number, centre: number, width: number, height: number): number =>
  height * Math.exp(-((at - centre) ** 2) / (2 * width * width))
const swells = (at: number, list: readonly (readonly [number, number, number])[]): number =>
  list.reduce((sum, [centre, width, height]) => sum + swell(at, centre, width, height), 0)

/** The loudness (0 to 1) of each voice in each of 50 columns. Voices differ by shape: swells, blocks, peaks. */
const voices = {
  friendly: (at: number): number =>
    swells(at, [
      [5, 2.6, 0.8],
      [15, 3.4, 1],
      [25, 2.2, 0.62],
      [34, 3.2, 0.92],
      [44, 2.6, 0.7],
    ]) - 0.04,
  professional: (at: number): number =>
    [9, 10, 21, 22, 23, 36, 37].includes(at)
      ? 0
      : 0.46 + 0.14 * Math.sin(at * 1.15) + 0.08 * Math.sin(at * 2.9),
  energetic: (at: number): number =>
    0.14 + 0.9 * Math.abs(Math.sin(at * 1.92)) * (0.62 + 0.38 * Math.sin(at * 0.52 + 0.6)),
  greeting: (at: number): number =>
    swells(at, [
      [4, 1.7, 0.7],
      [10, 2.2, 1],
      [17, 1.5, 0.55],
      [23, 2.4, 0.9],
      [31, 2, 0.66],
      [38, 1.6, 1],
      [45, 2.4, 0.5],
    ]),
}
export type Voice = keyof typeof voices
export const isVoice = (name: string): name is Voice => Object.hasOwn(voices, name)

interface DotWave {
  viewBox: string
  /** The path of all dots, drawn behind the voice. */
  field: string
  /** The path of the dots of the voice. */
  lit: string
}

/**
 * Draws a voice as dots. All moves but the first are relative, because equal moves compress well.
 * @param options `reach` is the number of rows above and below the middle one
 */
export function dotWave(voice: Voice, { columns = 50, reach = 5 } = {}): DotWave {
  const levels = Array.from({ length: columns }, (_, at) =>
    Math.max(0, Math.min(reach, Math.round(voices[voice](at % 50) * reach))),
  )
  // A line ends 0.1 below its last dot, so that this dot is drawn; the next move takes the 0.1 back.
  const lines = levels.map((level, at) => {
    const move =
      at === 0
        ? `M${first} ${first + (reach - level) * pitch}`
        : `m${pitch}-${(levels[at - 1]! + level) * pitch || ''}.1`
    return `${move}v${2 * level * pitch || ''}.1`
  })
  const rows = Array.from({ length: 2 * reach + 1 }, (_, row) => rowOfDots(0, row, columns))
  return {
    viewBox: `0 0 ${columns * pitch} ${(2 * reach + 1) * pitch}`,
    field: rows.join(''),
    lit: lines.join(''),
  }
}

export interface Point {
  x: number
  y: number
}

/** Returns the path of a hanging cord: vertical tangents at both plugs, and `sag` units of slack below them. */
export const cordPath = (from: Point, to: Point, sag: number): string =>
  `M${rounded(from.x)} ${rounded(from.y)}C${rounded(from.x)} ${rounded(from.y + sag)} ` +
  `${rounded(to.x)} ${rounded(to.y + sag)} ${rounded(to.x)} ${rounded(to.y)}`
