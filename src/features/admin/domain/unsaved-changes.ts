import * as z from 'zod/mini'
import {
  adminUser,
  audioDemo,
  faqEntry,
  withoutRecord,
  withRecord,
  type AdminData,
  type Collection,
  type RecordOf,
} from './admin-data.ts'

/**
 * Changes that the database has not confirmed. They are kept beside the data until it has, so that neither a failed
 * write nor a reload loses one.
 */
const anyRecord = z.union([faqEntry, audioDemo, adminUser])

export const unsavedChange = z.object({
  collection: z.enum(['users', 'demos', 'faqs']),
  id: z.string(),
  action: z.enum(['put', 'delete']),
  /** The record as the admin wants it, or, for a deletion, as it was. */
  record: anyRecord,
  /** The version that the change was made on (for a user, the status); null if there was no row. */
  base: z.nullable(z.string()),
  /** How many changes have been merged into this one. */
  revision: z.number(),
  state: z.enum(['waiting', 'failed', 'conflict']),
  /** Why it failed, in a sentence. */
  reason: z.optional(z.string()),
  /** In a conflict: the database's record (null if it was deleted there) and its version. */
  theirs: z.optional(z.nullable(anyRecord)),
  theirVersion: z.optional(z.nullable(z.string())),
})
export type UnsavedChange = z.infer<typeof unsavedChange>

export type WriteOutcome =
  /** The record as the database holds it now (null after a deletion), and the version that the next change is made on. */
  | { kind: 'saved'; record: UnsavedChange['record'] | null; version: string | null }
  | { kind: 'conflict'; theirs: UnsavedChange['record'] | null; version: string | null }
  | { kind: 'failed'; reason: string }

export interface Place {
  collection: Collection
  id: string
}
export const isAt =
  ({ collection, id }: Place) =>
  (change: Place): boolean =>
    change.collection === collection && change.id === id

/** What a stored text says; changes that cannot be read are left out, and `damaged` says so. */
export function parseUnsaved(text: string): { changes: UnsavedChange[]; damaged: boolean } {
  try {
    const parsed = z
      .array(z.unknown())
      .parse(JSON.parse(text))
      .map((each) => z.safeParse(unsavedChange, each))
    const changes = parsed.flatMap(({ data }) => (data ? [data] : []))
    return { changes, damaged: changes.length < parsed.length }
  } catch {
    return { changes: [], damaged: true }
  }
}

type Change = Pick<UnsavedChange, 'collection' | 'id' | 'action' | 'record' | 'base'>

/** A new change joins the one that is unsaved at its place, which keeps the version it was made on. */
export function withChange(unsaved: readonly UnsavedChange[], change: Change): UnsavedChange[] {
  const before = unsaved.find(isAt(change))
  const next: UnsavedChange = {
    ...change,
    base: before ? before.base : change.base,
    revision: (before?.revision ?? 0) + 1,
    state: 'waiting',
  }
  return before ? unsaved.map((each) => (each === before ? next : each)) : [...unsaved, next]
}

/** Takes in what the database answered to `sent`. What was changed again meanwhile waits for its own turn. */
export function withOutcome(
  unsaved: readonly UnsavedChange[],
  sent: UnsavedChange,
  outcome: WriteOutcome,
): UnsavedChange[] {
  return unsaved.flatMap((each): UnsavedChange[] => {
    if (!isAt(sent)(each)) return [each]
    const { collection, id, action, record, base, revision } = each
    const bare = { collection, id, action, record, base, revision }
    const isNewer = revision !== sent.revision
    if (outcome.kind === 'saved') return isNewer ? [{ ...bare, base: outcome.version, state: 'waiting' }] : []
    if (outcome.kind === 'failed') return [{ ...bare, state: 'failed', reason: outcome.reason }]
    const { theirs, version } = outcome
    return [{ ...bare, state: 'conflict', theirs, theirVersion: version }]
  })
}

/** The changes that wait to be sent: all that failed, or the one at this place. */
export const retried = (unsaved: readonly UnsavedChange[], place?: Place): UnsavedChange[] =>
  unsaved.map((each) =>
    each.state === 'failed' && (!place || isAt(place)(each)) ? { ...each, state: 'waiting' } : each,
  )

/** The data with one change made. */
export function applied(
  data: AdminData,
  change: Pick<UnsavedChange, 'collection' | 'id' | 'action' | 'record'>,
): AdminData {
  const { collection, id, action, record } = change
  const list = data[collection] as readonly RecordOf<Collection>[]
  return {
    ...data,
    [collection]: action === 'delete' ? withoutRecord(list, id) : withRecord(list, record),
  }
}

/** What the database answered, with the changes that it does not know yet. */
export const overlaid = (data: AdminData, unsaved: readonly UnsavedChange[]): AdminData =>
  unsaved.reduce(
    // A user who is not on the page at hand stays off it.
    (all, change) =>
      change.collection === 'users' && !all.users.some(({ id }) => id === change.id)
        ? all
        : applied(all, change),
    data,
  )
