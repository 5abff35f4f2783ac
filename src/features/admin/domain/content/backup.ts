import * as z from 'zod/mini'
import { adminUser, audioDemo, faqEntry, sameContent, type AdminData } from './admin-data.ts'
import { csv } from '#platform/domain/text/csv.ts'

/** All of the admin's data: `data.json` in a backup, and an export in JSON. */
const backupData = z.object({
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

/** Parses the text of a backup; null if it is not valid. */
export function parseBackup(text: string): BackupData | null {
  try {
    return z.safeParse(backupData, JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Returns the same records as CSV, by file name. */
export const tablesOf = ({ users, demos, faqs }: BackupData): Record<string, string> => ({
  'users.csv': csv(users, ['id', 'email', 'plan', 'subscriptionStatus', 'minutesUsed', 'minutesLimit']),
  'demos.csv': csv(demos, ['id', 'industry', 'title', 'description', 'audioUrl']),
  'faqs.csv': csv(faqs, ['id', 'question', 'answer']),
})

interface Restoration<Each> {
  /** Records of the backup that are different now, or missing. */
  put: Each[]
  /** Ids of records that the backup does not contain. */
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

/** Computes the changes that restore FAQs and demos. Accounts belong to the database and are not restored. */
export const restoration = (
  present: AdminData,
  backup: BackupData,
): { faqs: Restoration<BackupData['faqs'][number]>; demos: Restoration<BackupData['demos'][number]> } => ({
  faqs: difference(present.faqs, backup.faqs),
  demos: difference(present.demos, backup.demos),
})
