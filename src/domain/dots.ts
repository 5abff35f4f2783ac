const perRow = 20
const pitch = 8
const first = 4

/**
 * The brand's dot field of 100: the two paths, in a view box of 160 × 40, that draw the first `count` dots lit and the
 * rest unlit. A dot is drawn by a round cap and a dash of no length, eight units apart.
 */
export function dotField(count: number, rows = 5): { lit: string; unlit: string } {
  const lit: string[] = []
  const unlit: string[] = []
  for (let row = 0; row < rows; row++) {
    const on = Math.min(perRow, Math.max(0, Math.round(count) - row * perRow))
    if (on > 0) lit.push(line(0, on, row))
    if (on < perRow) unlit.push(line(on, perRow - on, row))
  }
  return { lit: lit.join(''), unlit: unlit.join('') }
}

const line = (from: number, length: number, row: number): string =>
  `M${first + from * pitch} ${first + row * pitch}h${(length - 1) * pitch + 0.1}`
