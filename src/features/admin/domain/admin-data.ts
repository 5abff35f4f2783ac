import * as z from 'zod/mini'
import { isRecordingUrl } from '#marketing/domain/recording-url.ts'

/** An account as this browser stores it (specification, sections 3 and 4). Unknown fields are kept. */
export const adminUser = z.looseObject({
  id: z.string(),
  email: z.string(),
  /** Null if the account has no subscription. */
  plan: z.nullable(z.string()),
  subscriptionStatus: z.nullable(z.string()),
  /** The payment provider's word. The status differs from it if the admin has set it. */
  billingStatus: z.optional(z.nullable(z.string())),
  minutesUsed: z.number(),
  minutesLimit: z.number(),
})
export type AdminUser = z.infer<typeof adminUser>

/** The version of the record's row in the database; absent if there is no row. */
const version = { updatedAt: z.optional(z.string()) }

export const audioDemo = z.object({
  id: z.string(),
  industry: z.string(),
  title: z.string(),
  description: z.string(),
  /** A data URL if only this browser has the recording. */
  audioUrl: z.string().check(z.refine((url) => url.startsWith('data:') || isRecordingUrl(url))),
  /** Absent if the length of the recording is not known. */
  seconds: z.optional(z.number()),
  ...version,
})
export type AudioDemo = z.infer<typeof audioDemo>

export const faqEntry = z.object({ id: z.string(), question: z.string(), answer: z.string(), ...version })
export type FaqEntry = z.infer<typeof faqEntry>

const faqTexts = { question: z.string(), answer: z.string() }
/** The texts typed so far for a new entry, and for an edited one; `seen` is the entry as it was before the edit. */
export const faqDrafts = z.object({
  added: z.nullable(z.object(faqTexts)),
  edited: z.nullable(z.object({ ...faqTexts, seen: faqEntry })),
})
export type FaqDrafts = z.infer<typeof faqDrafts>
export type FaqTexts = NonNullable<FaqDrafts['added']>
export type FaqDraft = NonNullable<FaqDrafts['edited']>

export interface AdminData {
  users: readonly AdminUser[]
  demos: readonly AudioDemo[]
  faqs: readonly FaqEntry[]
}
export type Collection = keyof AdminData
export type RecordOf<Name extends Collection> = AdminData[Name][number]

export const collections = ['users', 'demos', 'faqs'] as const satisfies readonly Collection[]
export const collectionNames: Record<Collection, string> = { users: 'users', demos: 'demos', faqs: 'FAQs' }

const lists = { users: adminUser, demos: audioDemo, faqs: faqEntry }

/** Parses a stored collection. Leaves out unreadable records; `damaged` tells whether there are any. */
export function parseRecords<Name extends Collection>(
  name: Name,
  text: string,
): { records: RecordOf<Name>[]; damaged: boolean } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { records: [], damaged: true }
  }
  if (!Array.isArray(json)) return { records: [], damaged: true }
  const parsed = json.map((each) => z.safeParse(lists[name], each))
  const records = parsed.flatMap(({ success, data }) => (success ? [data as RecordOf<Name>] : []))
  return { records, damaged: records.length < json.length }
}

interface Identified {
  id: string
}

/** Returns the id of a new record: the time in milliseconds since 1970, or the next free number. */
export function timestampId(now: number, taken: readonly Identified[]): string {
  const used = new Set(taken.map(({ id }) => id))
  let id = now
  while (used.has(String(id))) id += 1
  return String(id)
}

/** Replaces the record of the same id, or appends the record. */
export function withRecord<Each extends Identified>(list: readonly Each[], record: Each): Each[] {
  const index = list.findIndex(({ id }) => id === record.id)
  return index < 0 ? [...list, record] : list.toSpliced(index, 1, record)
}

export const withoutRecord = <Each extends Identified>(list: readonly Each[], id: string): Each[] =>
  list.filter((each) => each.id !== id)

/** A row of the database. A deleted one stays as a tombstone, which also removes the seed of the same id. */
export interface ContentRow<Each> {
  record: Each
  deleted: boolean
}

/** Merges seeds (entries of the site's files) and rows by id. Rows win; those without a seed follow, oldest first. */
export function mergeRows<Each extends Identified>(
  seeds: readonly Each[],
  rows: readonly ContentRow<Each>[],
): Each[] {
  const byId = new Map(rows.map((row) => [row.record.id, row]))
  const known = new Set(seeds.map(({ id }) => id))
  const kept = (row: ContentRow<Each>): Each[] => (row.deleted ? [] : [row.record])
  return [
    ...seeds.flatMap((seed) => {
      const row = byId.get(seed.id)
      return row ? kept(row) : [seed]
    }),
    ...rows
      .filter(({ record }) => !known.has(record.id))
      .sort((one, other) => (one.record.id < other.record.id ? -1 : 1))
      .flatMap(kept),
  ]
}

/** Tells whether two records are equal apart from their versions. */
export function sameContent(one: Identified | null, other: Identified | null): boolean {
  const content = (record: Identified | null): string =>
    JSON.stringify(record && Object.entries({ ...record, updatedAt: '' }).sort())
  return content(one) === content(other)
}

/** Trims a typed text, and removes the characters that PostgreSQL cannot store. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

/** The longest texts that the database accepts, in characters. */
export const textLimits = {
  question: 300,
  answer: 5_000,
  industry: 80,
  title: 120,
  description: 1_000,
} as const
