type Cell = string | number | null | undefined

/** A text that a spreadsheet would take for a formula gets an apostrophe, so that it stays a text. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = harmless(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Comma-separated values (RFC 4180): a line of names, then one a record, in the columns' order. */
export function csv<Each>(records: readonly Each[], columns: readonly (keyof Each & string)[]): string {
  const lines = [
    columns.join(','),
    ...records.map((each) => columns.map((name) => cell(each[name] as Cell)).join(',')),
  ]
  return `${lines.join('\r\n')}\r\n`
}
