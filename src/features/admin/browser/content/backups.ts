import type { NamedFile } from '#platform/browser/save-as-file.ts'
import { backupOf, parseBackup, tablesOf, type BackupData } from '#admin/domain/content/backup.ts'
import { fileTimestamp } from '#platform/domain/text/dates.ts'
import type { AdminData, AdminUser } from '#admin/domain/content/admin-data.ts'
import { firstUsers, type UserPage, type UserQuery } from '#admin/domain/users.ts'
import { readDemoAudio } from './demo-audio.ts'

const dataName = 'data.json'
const audioFolder = 'audio/'

/** Reads every account, page by page; undefined if the server stops answering. */
export async function allUsers(
  list: (query: UserQuery) => Promise<UserPage | undefined>,
): Promise<AdminUser[] | undefined> {
  const users: AdminUser[] = []
  for (let page = 0; ; page += 1) {
    const answer = await list({ ...firstUsers, page })
    if (!answer) return undefined
    users.push(...answer.users)
    if (!answer.more) return users
  }
}

/** Writes the data as one JSON file, or as one CSV file per collection. */
export function exportFiles(data: AdminData, format: 'json' | 'csv', now: number): NamedFile[] {
  const backup = backupOf(data, new Date(now).toISOString())
  const stem = `export-${fileTimestamp(backup.madeAt)}`
  if (format === 'json')
    return [
      {
        name: `${stem}.json`,
        content: new Blob([JSON.stringify(backup, null, 2)], { type: 'application/json' }),
      },
    ]
  return Object.entries(tablesOf(backup)).map(([name, text]) => ({
    name: `${stem}-${name}`,
    content: new Blob([text], { type: 'text/csv' }),
  }))
}

/**
 * Packs the data, its CSV files and the recordings into one ZIP file.
 * @returns undefined if a recording could not be read: the backup would be incomplete
 */
export async function makeBackup(data: AdminData, now: number): Promise<NamedFile | undefined> {
  const { strToU8, zipSync } = await import('fflate')
  const backup = backupOf(data, new Date(now).toISOString())
  const files: Record<string, Uint8Array> = { [dataName]: strToU8(JSON.stringify(backup)) }
  for (const [name, text] of Object.entries(tablesOf(backup))) files[name] = strToU8(text)
  for (const { id, audioUrl } of backup.demos) {
    const audio = await readDemoAudio(audioUrl)
    if (!audio) return undefined
    files[`${audioFolder}${id}`] = new Uint8Array(await audio.arrayBuffer())
  }
  const zip = zipSync(files) as Uint8Array<ArrayBuffer>
  return {
    name: `backup-${fileTimestamp(backup.madeAt)}.zip`,
    content: new Blob([zip], { type: 'application/zip' }),
  }
}

/** Unpacks a backup, its recordings by demo id; null if the file is not a backup, or could not be unpacked. */
export async function openBackup(
  file: Blob,
): Promise<{ data: BackupData; recordings: ReadonlyMap<string, Blob> } | null> {
  try {
    const { strFromU8, unzipSync } = await import('fflate')
    const files = unzipSync(new Uint8Array(await file.arrayBuffer()))
    const data = files[dataName] && parseBackup(strFromU8(files[dataName]))
    if (!data) return null
    const recordings = new Map(
      Object.entries(files).flatMap(([name, bytes]): [string, Blob][] => {
        if (!name.startsWith(audioFolder)) return []
        const type = bytes[0] === 0x52 ? 'audio/wav' : 'audio/mpeg'
        return [[name.slice(audioFolder.length), new Blob([bytes as Uint8Array<ArrayBuffer>], { type })]]
      }),
    )
    return { data, recordings }
  } catch {
    return null
  }
}
