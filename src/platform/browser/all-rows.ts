/** The most rows that PostgREST returns for one request (supabase/config.toml: max_rows). */
const pageSize = 1_000

interface ReadPage<Row> {
  data: Row[] | null
  error: unknown
}

/** Reads all rows, page by page. Returns undefined if a page cannot be read. */
export async function allRows<Row>(
  readPage: (from: number, to: number) => PromiseLike<ReadPage<Row>>,
): Promise<Row[] | undefined> {
  const rows: Row[] = []
  for (;;) {
    const { data, error } = await readPage(rows.length, rows.length + pageSize - 1)
    if (error || !data) return undefined
    rows.push(...data)
    if (data.length < pageSize) return rows
  }
}
