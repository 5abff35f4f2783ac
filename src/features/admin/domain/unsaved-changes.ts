import * as z from 'zod/mini'
import {
  adminUser,
  audioDemo,
  faqEntry,
  sameContent,
  withoutRecord,
  withRecord,
  type AdminData,
  type Collection,
  type RecordOf,
} from './admin-data.ts'

const anyRecord = z.union([faqEntry, audioDemo, adminUser])

/** A change that the database has not confirmed. It is stored, so that neither a failed write nor a reload loses it. */
const unsavedChange = z.object({
  collection: z.enum(['users', 'demos', 'faqs']),
  id: z.string(),
  action: z.enum(['put', 'delete']),
  /** The new record; for a deletion, the deleted one. */
  record: anyRecord,
  /** The version of the row that was changed (for a user, the status); null if there was no row. */
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

/** A change before it is recorded as unsaved. */
export type Change = Pick<UnsavedChange, 'collection' | 'id' | 'action' | 'record'>

export type WriteOutcome =
  /** The record as the database holds it now (null after a deletion), and its version. */
  | { kind: 'saved'; record: UnsavedChange['record'] | null; version: string | null }
  | { kind: 'conflict'; theirs: UnsavedChange['record'] | null; version: string | null }
  | { kind: 'failed'; reason: string }

/** Identifies one record. */
export interface RecordKey {
  collection: Collection
  id: string
}
export const sameRecord =
  ({ collection, id }: RecordKey) =>
  (other: RecordKey): boolean =>
    other.collection === collection && other.id === id

/** Parses a stored text. Leaves out unreadable changes; `damaged` tells whether there are any. */
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

/** Adds a change, or merges it into the unsaved change of the same record, which keeps its base version. */
export function withChange(
  unsaved: readonly UnsavedChange[],
  { collection, id, action, record }: Change,
  base: string | null,
): UnsavedChange[] {
  const index = unsaved.findIndex(sameRecord({ collection, id }))
  const before = unsaved[index]
  const next: UnsavedChange = {
    collection,
    id,
    action,
    record,
    base: before ? before.base : base,
    revision: (before?.revision ?? 0) + 1,
    state: 'waiting',
  }
  return before ? unsaved.with(index, next) : [...unsaved, next]
}

/**
 * Treats a conflict as saved if both sides made the same change, for example if it was sent twice because its answer
 * was lost.
 */
export function agreed(sent: UnsavedChange, outcome: WriteOutcome): WriteOutcome {
  if (outcome.kind !== 'conflict') return outcome
  const mine = sent.action === 'delete' ? null : sent.record
  return sameContent(mine, outcome.theirs)
    ? { kind: 'saved', record: outcome.theirs, version: outcome.version }
    : outcome
}

/** Applies the outcome of a write. A record that was changed again during the write waits to be sent again. */
export function withOutcome(
  unsaved: readonly UnsavedChange[],
  sent: UnsavedChange,
  outcome: WriteOutcome,
): UnsavedChange[] {
  return unsaved.flatMap((each): UnsavedChange[] => {
    if (!sameRecord(sent)(each)) return [each]
    const { collection, id, action, record, base, revision } = each
    const bare = { collection, id, action, record, base, revision }
    const isNewer = revision !== sent.revision
    if (outcome.kind === 'saved') return isNewer ? [{ ...bare, base: outcome.version, state: 'waiting' }] : []
    if (outcome.kind === 'failed') return [{ ...bare, state: 'failed', reason: outcome.reason }]
    const { theirs, version } = outcome
    return [{ ...bare, state: 'conflict', theirs, theirVersion: version }]
  })
}

/** Makes failed changes wait again: all of them, or the one of this record. */
export const retried = (unsaved: readonly UnsavedChange[], key?: RecordKey): UnsavedChange[] =>
  unsaved.map((each) =>
    each.state === 'failed' && (!key || sameRecord(key)(each)) ? { ...each, state: 'waiting' } : each,
  )

/** Returns the data with one change made. */
export function applyChange(data: AdminData, { collection, id, action, record }: Change): AdminData {
  const list = data[collection] as readonly RecordOf<Collection>[]
  return {
    ...data,
    [collection]: action === 'delete' ? withoutRecord(list, id) : withRecord(list, record),
  }
}

/** Returns the database's data with the unsaved changes made. Users that are not loaded are not added. */
export const applyUnsaved = (data: AdminData, unsaved: readonly UnsavedChange[]): AdminData =>
  unsaved.reduce(
    (all, change) =>
      change.collection === 'users' && !all.users.some(({ id }) => id === change.id)
        ? all
        : applyChange(all, change),
    data,
  )
