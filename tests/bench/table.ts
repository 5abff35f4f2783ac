export interface Table {
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
  /** Sentences that explain the numbers. */
  notes?: readonly string[]
  /** One sentence for each required number that was missed. */
  missed: readonly string[]
}

export function print({ title, columns, rows, notes = [] }: Table): void {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ')
  console.log(`\n${title}\n`)
  console.log(line(columns))
  console.log(widths.map((width) => '─'.repeat(width)).join('  '))
  for (const row of rows) console.log(line(row))
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`)
}
