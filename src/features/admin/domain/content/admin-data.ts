import * as z from 'zod/mini'

/** Marks a record whose change the server has not confirmed. It is sent until it is. */
const unsaved = z.object({
  /** The version of the row that was changed (for a user, the status); null if there was no row. */
  base: z.nullable(z.string()),
  /** The record is deleted. It is hidden, and goes once the server has confirmed that. */
  deleted: z.optional(z.boolean()),
})
const mark = { unsaved: z.optional(unsaved) }

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
  /** The name of the customer's business, and when the account was made, ISO 8601. */
  business: z.optional(z.nullable(z.string())),
  createdAt: z.optional(z.string()),
  /** An admin's own account is not blocked. */
  isAdmin: z.optional(z.boolean()),
  /** Why the admin has changed the status, until the server has it. */
  reason: z.optional(z.string()),
  ...mark,
})
export type AdminUser = z.infer<typeof adminUser>

/** The version of the record's row in the database as it was last confirmed; absent if there is no row. */
const version = { updatedAt: z.optional(z.string()), ...mark }

export const audioDemo = z.object({
  id: z.string(),
  industry: z.string(),
  title: z.string(),
  description: z.string(),
  /** A data URL if only this browser has the recording. */
  audioUrl: z.string().check(z.refine((url) => url.startsWith('data:') || isRecordingUrl(url))),
  /** Absent or null if the length of the recording is not known. */
  seconds: z.optional(z.nullable(z.number())),
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
export type AnyRecord = RecordOf<Collection>
/** The collections that the site shows. */
export type ContentCollection = Exclude<Collection, 'users'>

export const collectionNames: Record<Collection, string> = { users: 'users', demos: 'demos', faqs: 'FAQs' }
export const tableOf = { faqs: 'faqs', demos: 'audio_demos' } as const satisfies Record<
  ContentCollection,
  string
>

/** Identifies one record. */
export interface RecordKey {
  collection: Collection
  id: string
}
/** Names a record's row, as `/build.json` does. */
export const rowName = (collection: ContentCollection, id: string): string => `${tableOf[collection]}/${id}`

/** A record as the database holds it now (null if it is deleted there), and its version. */
export interface Held {
  record: AnyRecord | null
  version: string | null
}
export type WriteOutcome =
  | ({ kind: 'saved' | 'conflict' } & Held)
  /** `reason`: a sentence. */
  | { kind: 'failed'; reason: string }

const schemas = { users: adminUser, demos: audioDemo, faqs: faqEntry }

/** Parses a stored collection. Leaves out unreadable records; `damaged` tells whether there are any. */
export function parseRecords<Name extends Collection>(
  name: Name,
  text: string,
): { records: RecordOf<Name>[]; damaged: boolean } {
  try {
    const all = z.array(z.unknown()).parse(JSON.parse(text))
    // What is read is written again as it was, or two tabs would correct each other's texts.
    const records = all.filter((each): each is RecordOf<Name> => z.safeParse(schemas[name], each).success)
    return { records, damaged: records.length < all.length }
  } catch {
    return { records: [], damaged: true }
  }
}

/** Returns the version that a change of this record is based on; null if it has no row. */
export function baseOf(record: AnyRecord): string | null {
  if (record.unsaved) return record.unsaved.base
  return 'email' in record ? record.subscriptionStatus : (record.updatedAt ?? null)
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

/** Keeps the last record of each id, in the place of the first. */
const latest = <Each extends Identified>(all: readonly Each[]): readonly Each[] => [
  ...new Map(all.map((each) => [each.id, each])).values(),
]

/** Replaces the record of this id, or appends the record; null removes it. */
export const withRecord = <Each extends Identified>(
  list: readonly Each[],
  id: string,
  record: Each | null,
) => (record ? latest([...list, record]) : list.filter((each) => each.id !== id))

/** Puts the unsaved records of one list into another, newer one. */
export const withUnsaved = <Each extends AnyRecord>(list: readonly Each[], own: readonly Each[]) =>
  latest([...list, ...own.filter(({ unsaved }) => unsaved)])

/** A row of the database. A deleted one stays as a tombstone, which also removes the seed of the same id. */
export interface ContentRow<Each> {
  record: Each
  deleted: boolean
}
export type ContentRows = { [Name in ContentCollection]: ContentRow<RecordOf<Name>>[] }

/** Merges seeds (entries of the site's files) and rows by id. Rows win; those without a seed follow, oldest first. */
export function mergeRows<Each extends Identified>(
  seeds: readonly Each[],
  rows: readonly ContentRow<Each>[],
): readonly Each[] {
  const byAge = rows.toSorted((one, other) => (one.record.id < other.record.id ? -1 : 1))
  const gone = new Set(rows.flatMap(({ record, deleted }) => (deleted ? record.id : [])))
  return latest([...seeds, ...byAge.map(({ record }) => record)]).filter(({ id }) => !gone.has(id))
}

/** Tells whether two records are equal apart from their versions and marks. */
export function sameContent(one: Identified | null, other: Identified | null): boolean {
  const content = (record: Identified | null): string =>
    JSON.stringify(
      record &&
        Object.entries({ ...record, updatedAt: null, unsaved: null })
          .filter(([, value]) => value !== null && value !== undefined)
          .sort(),
    )
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

/**
 * Tells whether a text may be the URL of a recording: a path on our own origin, or an absolute URL of http or https.
 * Browsers read `/\host` and `/`, a tab, `/host` like `//host`, which is another host. So backslashes, spaces and control
 * characters are refused. The database checks the same (SQL: `audio_demos`).
 */
export const isRecordingUrl = (text: string): boolean =>
  /^(?:\/(?!\/)|https?:\/\/(?!\/))[^\\\s\p{Cc}]+$/u.test(text)
