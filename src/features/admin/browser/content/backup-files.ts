import { filesOf } from '#platform/browser/supabase.ts'

/** A file in the private bucket. */
export interface StoredFile {
  name: string
  bytes: number
  /** ISO 8601. */
  madeAt: string
}

/** Lists the files in the bucket, newest first; undefined if there is no answer. */
export async function listStoredFiles(bucket: string): Promise<StoredFile[] | undefined> {
  const files = await filesOf(bucket)
  const answer = await files?.list('', { limit: 100, sortBy: { column: 'name', order: 'desc' } })
  return answer?.data?.flatMap(({ id, name, created_at, metadata }) =>
    id === null ? [] : [{ name, bytes: Number(metadata?.['size'] ?? 0), madeAt: created_at ?? '' }],
  )
}

/** Uploads a file. Returns whether that succeeded. */
export async function storeFile(bucket: string, name: string, content: Blob): Promise<boolean> {
  const answer = await (await filesOf(bucket))?.upload(name, content, { contentType: content.type })
  return answer?.error === null
}

/** Downloads a file; null if that failed. */
export async function fetchStoredFile(bucket: string, name: string): Promise<Blob | null> {
  const answer = await (await filesOf(bucket))?.download(name)
  return answer?.data ?? null
}
