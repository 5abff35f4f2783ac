/** The most rows that PostgREST returns for one request (supabase/config.toml: max_rows). */
const pageSize = 1_000

interface PageResult<Row> {
  data: Row[] | null
  error: unknown
}

/** Reads all rows, one page after the other. Returns undefined if a page cannot be read. */
export async function allRows<Row>(
  page: (from: number, to: number) => PromiseLike<PageResult<Row>>,
): Promise<Row[] | undefined> {
  const rows: Row[] = []
  for (;;) {
    const { data, error } = await page(rows.length, rows.length + pageSize - 1)
    if (error || !data) return undefined
    rows.push(...data)
    if (data.length < pageSize) return rows
  }
}
