type Cell = string | number | null | undefined

/** Prefixes text with an apostrophe if a spreadsheet would read it as a formula. */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = escapeFormula(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes comma-separated values (RFC 4180): a header line, then one line per record, in the order of `columns`. */
export function csv<Each>(records: readonly Each[], columns: readonly (keyof Each & string)[]): string {
  const lines = [
    columns.join(','),
    ...records.map((each) => columns.map((name) => cell(each[name] as Cell)).join(',')),
  ]
  return `${lines.join('\r\n')}\r\n`
}
