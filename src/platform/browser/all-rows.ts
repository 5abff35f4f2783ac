/** PostgREST answers no more rows at once (supabase/config.toml: max_rows). */
const rowsAtOnce = 1_000

interface ReadPage<Row> {
  data: Row[] | null
  error: unknown
}

/** Every row, page after page; undefined when one page could not be had. */
export async function allRows<Row>(
  page: (from: number, to: number) => PromiseLike<ReadPage<Row>>,
): Promise<Row[] | undefined> {
  const rows: Row[] = []
  for (;;) {
    const { data, error } = await page(rows.length, rows.length + rowsAtOnce - 1)
    if (error || !data) return undefined
    rows.push(...data)
    if (data.length < rowsAtOnce) return rows
  }
}
