import * as z from 'zod/mini'
import { adminUser, audioDemo, faqEntry, sameContent, type AdminData } from './admin-data.ts'
import { csv } from '#platform/domain/csv.ts'

/** Everything the admin keeps, as `data.json` in a backup and as an export in JSON. */
export const backupData = z.object({
  /** ISO 8601. */
  madeAt: z.string(),
  users: z.array(adminUser),
  demos: z.array(audioDemo),
  faqs: z.array(faqEntry),
})
export type BackupData = z.infer<typeof backupData>

export const backupOf = (data: AdminData, madeAt: string): BackupData => ({
  madeAt,
  users: [...data.users],
  demos: [...data.demos],
  faqs: [...data.faqs],
})

/** A backup's text; null where it is none. */
export function parseBackup(text: string): BackupData | null {
  try {
    return z.safeParse(backupData, JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The same records as tables, by file name. */
export const tablesOf = ({ users, demos, faqs }: BackupData): Record<string, string> => ({
  'users.csv': csv(users, ['id', 'email', 'plan', 'subscriptionStatus', 'minutesUsed', 'minutesLimit']),
  'demos.csv': csv(demos, ['id', 'industry', 'title', 'description', 'audioUrl']),
  'faqs.csv': csv(faqs, ['id', 'question', 'answer']),
})

interface Restoration<Each> {
  /** Records that differ from what is there, or are missing. */
  put: Each[]
  /** Ids of what the backup does not know. */
  remove: string[]
}

function difference<Each extends { id: string }>(
  present: readonly Each[],
  wanted: readonly Each[],
): Restoration<Each> {
  const byId = new Map(present.map((record) => [record.id, record]))
  const kept = new Set(wanted.map(({ id }) => id))
  return {
    put: wanted.filter((record) => !sameContent(byId.get(record.id) ?? null, record)),
    remove: present.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  }
}

/** What must change for FAQs and demos to be as they were. Accounts are the database's and are not restored. */
export const restoration = (
  present: AdminData,
  backup: BackupData,
): { faqs: Restoration<BackupData['faqs'][number]>; demos: Restoration<BackupData['demos'][number]> } => ({
  faqs: difference(present.faqs, backup.faqs),
  demos: difference(present.demos, backup.demos),
})
