import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { App } from '@supabase/lite'
import type { SqlSession } from './sql-database.ts'

type StorageAdapter = NonNullable<App['_storageAdapter']>
type ObjectMetadata = Awaited<ReturnType<StorageAdapter['headObject']>>

/**
 * Stores objects as files. The name of a file is a hash of the object's name, so that no name (`..`, a device name, 900
 * characters) can lead out of the bucket's folder.
 */
export function createStorageAdapter(directory: string, pg: SqlSession): StorageAdapter {
  const fileOf = (bucket: string, name: string): string =>
    path.join(directory, hash(bucket), hash(`${bucket}/${name}`))

  /** Reads type and caching from the object's row. */
  async function describe(bucket: string, name: string): Promise<ObjectMetadata> {
    const { size, mtime } = await stat(fileOf(bucket, name))
    const { rows } = await pg.query<{ metadata: Partial<ObjectMetadata> | null }>(
      'select metadata from storage.objects where bucket_id = $1 and name = $2',
      [bucket, name],
    )
    const { mimetype, cacheControl } = rows[0]?.metadata ?? {}
    return metadata(size, mtime, mimetype ?? 'application/octet-stream', cacheControl ?? 'no-cache')
  }

  return {
    driver: null,
    async getObject(bucket, name) {
      const body = await readFile(fileOf(bucket, name))
      return { httpStatusCode: 200, metadata: await describe(bucket, name), body }
    },
    async uploadObject(bucket, name, _version, body, mimetype, cacheControl) {
      const file = fileOf(bucket, name)
      const draft = `${file}.${randomUUID()}`
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(draft, body instanceof Uint8Array ? body : Readable.fromWeb(body as ReadableStream))
      await rename(draft, file)
      const { size, mtime } = await stat(file)
      return metadata(size, mtime, mimetype, cacheControl)
    },
    async deleteObject(bucket, name) {
      await rm(fileOf(bucket, name), { force: true })
    },
    async deleteObjects(bucket, names) {
      for (const name of names) await rm(fileOf(bucket, name), { force: true })
    },
    async copyObject(bucket, name, _version, toBucket, toName) {
      const target = fileOf(toBucket, toName)
      await mkdir(path.dirname(target), { recursive: true })
      await copyFile(fileOf(bucket, name), target)
      const { size, mtime } = await stat(target)
      return { httpStatusCode: 200, lastModified: mtime, eTag: eTag(size, mtime) }
    },
    headObject: describe,
    async privateAssetUrl() {
      throw new Error('The local storage does not transform images')
    },
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40)

const eTag = (size: number, changed: Date): string =>
  `"${size.toString(16)}-${changed.getTime().toString(16)}"`

const metadata = (size: number, changed: Date, mimetype: string, cacheControl: string): ObjectMetadata => ({
  size,
  contentLength: size,
  mimetype,
  cacheControl,
  lastModified: changed,
  eTag: eTag(size, changed),
  httpStatusCode: 200,
})
