import * as z from 'zod/mini'

/** What the admin keeps, as local storage holds it (specification, sections 3 and 4). Unknown fields are kept. */
export const adminUser = z.looseObject({
  id: z.string(),
  email: z.string(),
  /** Null where an account has no subscription. */
  plan: z.nullable(z.string()),
  subscriptionStatus: z.nullable(z.string()),
  minutesUsed: z.number(),
  minutesLimit: z.number(),
})
export type AdminUser = z.infer<typeof adminUser>

/** The version of the database's row that a record is equal to; absent where there is no row. */
const version = { updatedAt: z.optional(z.string()) }

export const audioDemo = z.object({
  id: z.string(),
  industry: z.string(),
  title: z.string(),
  description: z.string(),
  audioUrl: z.string(),
  /** Its length; absent where it is not known. */
  seconds: z.optional(z.number()),
  ...version,
})
export type AudioDemo = z.infer<typeof audioDemo>

export const faqEntry = z.object({ id: z.string(), question: z.string(), answer: z.string(), ...version })
export type FaqEntry = z.infer<typeof faqEntry>

const faqTexts = { question: z.string(), answer: z.string() }
/** What has been typed of a new entry, and of one that is edited, beside what that was when editing began. */
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

/**
 * Reads what a key holds. `damaged`: the text, or a part of it, is not what belongs there; the records that are
 * readable are answered all the same.
 */
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

/** The id of something new: the moment in ms since 1970, or the next one that is free. */
export function timestampId(now: number, taken: readonly Identified[]): string {
  const used = new Set(taken.map(({ id }) => id))
  let id = now
  while (used.has(String(id))) id += 1
  return String(id)
}

/** The list with this record in the place of the one with its id, or at the end. */
export function withRecord<Each extends Identified>(list: readonly Each[], record: Each): Each[] {
  const index = list.findIndex(({ id }) => id === record.id)
  return index < 0 ? [...list, record] : list.toSpliced(index, 1, record)
}

export const withoutRecord = <Each extends Identified>(list: readonly Each[], id: string): Each[] =>
  list.filter((each) => each.id !== id)

/** A row of the database. A deleted one stays as a tombstone, which takes the seed of its id away. */
export interface ContentRow<Each> {
  record: Each
  deleted: boolean
}

/** Rows over seeds by id: in the seeds' order, then what has no seed, oldest first. */
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

/** Whether two records say the same, whatever their versions. */
export function sameContent(one: Identified | null, other: Identified | null): boolean {
  const content = (record: Identified | null): string =>
    JSON.stringify(record && Object.entries({ ...record, updatedAt: '' }).sort())
  return content(one) === content(other)
}

/** A text as it was typed, without what no database stores. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

/** The longest texts that the database takes, in characters. */
export const textLimits = {
  question: 300,
  answer: 5_000,
  industry: 80,
  title: 120,
  description: 1_000,
} as const
