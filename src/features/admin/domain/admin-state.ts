import {
  collections,
  mergeRows,
  withRecord,
  type AdminData,
  type AdminUser,
  type AudioDemo,
  type Collection,
  type ContentRow,
  type FaqEntry,
  type RecordOf,
} from './admin-data.ts'
import type { ShownSettings, SiteBuild } from './site-build.ts'
import {
  agreed,
  applyChange,
  applyUnsaved,
  retried,
  sameRecord,
  withChange,
  withOutcome,
  type Change,
  type RecordKey,
  type UnsavedChange,
  type WriteOutcome,
} from './unsaved-changes.ts'
import { firstUsers, pageOfUsers, type UserPage, type UserQuery } from './users.ts'

/** What this browser stores: every collection, and the changes that the server has not confirmed. */
export interface Stored extends AdminData {
  unsaved: readonly UnsavedChange[]
}
export type StoredName = keyof Stored
/** In the order of writing: what only this browser has comes first, while there is room. */
export const storedNames = ['unsaved', ...collections] as const satisfies readonly StoredName[]

/** A problem with the browser's storage. The data stays in this page. */
export type StorageProblem =
  /** A stored text could not be read. `keptAs` is the key of its copy; null if the copy could not be stored. */
  | { kind: 'damaged'; name: StoredName; text: string; keptAs: string | null }
  /** The storage has no room for the text, or the browser does not let this page store anything. */
  | { kind: 'full' | 'closed'; name: StoredName }

/** The collections that the site shows. */
export type ContentCollection = Exclude<Collection, 'users'>
const tableOf = { faqs: 'faqs', demos: 'audio_demos' } as const satisfies Record<ContentCollection, string>

/** The rows of the database, tombstones included. */
export interface ContentRows {
  faqs: ContentRow<FaqEntry>[]
  demos: ContentRow<AudioDemo>[]
  settings?: ShownSettings
}

/**
 * The admin's data: what this browser has stored comes first, and is written at once with every change; then the same
 * change goes to the server. It stays marked as unsaved until the server confirms it.
 */
export interface AdminState {
  data: AdminData
  unsaved: readonly UnsavedChange[]
  /** Records whose change is being written to the server now. */
  sending: readonly RecordKey[]
  problems: readonly StorageProblem[]
  /** `offline`: the server did not answer, and the data is what this browser has stored. */
  server: 'loading' | 'online' | 'offline'
  /** The page of users on screen. `request` is the number of the latest request for one. */
  users: { query: UserQuery; page: UserPage; loading: boolean; request: number }
  /** What the pages that visitors see now were built with. */
  build: SiteBuild
  /** Versions of all rows, tombstones included, by table and id: they tell what is not published. */
  rows: Readonly<Record<string, string>>
  /** The settings of the whole site, published or not. */
  settings: ShownSettings | undefined
  /** The admin has logged out or left: no record is stored any more, whatever the server still answers. */
  isClosed: boolean
}

/** Returns the state before anything is read. `build` is the build that the admin's own page belongs to. */
export const initialState = (build: SiteBuild): AdminState => ({
  data: { users: [], demos: [], faqs: [] },
  unsaved: [],
  sending: [],
  problems: [],
  server: 'loading',
  users: {
    query: firstUsers,
    page: { users: [], counts: { all: 0 }, more: false },
    loading: true,
    request: 0,
  },
  build,
  rows: {},
  settings: undefined,
  isClosed: false,
})

export type AdminEvent =
  /** What was stored has been read; what was not stored, or is unreadable, is left out. */
  | { type: 'opened'; stored: Partial<Stored> }
  /** Another tab has stored something. */
  | { type: 'storedElsewhere'; stored: Partial<Stored> }
  | { type: 'storageChecked'; name: StoredName; problems: readonly StorageProblem[] }
  | { type: 'userAdded'; user: AdminUser }
  /** A record was added, or restored from a backup under its own id. */
  | { type: 'contentPut'; collection: ContentCollection; record: FaqEntry | AudioDemo }
  | { type: 'recordUpdated'; key: RecordKey; fields: object }
  | { type: 'recordDeleted'; key: RecordKey }
  /** All failed changes are to be sent again, or the one of this record. */
  | { type: 'retried'; key?: RecordKey | undefined }
  | { type: 'conflictResolved'; key: RecordKey; choice: 'mine' | 'theirs' }
  | { type: 'usersRequested'; query: UserQuery; request: number }
  | { type: 'usersReceived'; request: number; page: UserPage | undefined }
  | { type: 'contentReceived'; build: SiteBuild | undefined; rows: ContentRows | undefined }
  /** Users and content have been received, or have not been. */
  | { type: 'reloaded' }
  | { type: 'changeSent'; change: UnsavedChange; outcome: WriteOutcome }
  | { type: 'closed' }

export type AdminCommand =
  /** Writes these parts of the state to the browser's storage. */
  | { type: 'store'; names: readonly StoredName[] }
  | { type: 'send'; change: UnsavedChange }
  | { type: 'reload' }

interface AdminStep {
  state: AdminState
  commands: readonly AdminCommand[]
}

export function transition(state: AdminState, event: AdminEvent): AdminStep {
  switch (event.type) {
    case 'opened':
      return opened(state, event.stored)
    case 'storedElsewhere':
      return withStoredElsewhere(state, event.stored)
    case 'storageChecked': {
      const others = state.problems.filter(({ name }) => name !== event.name)
      return to({ ...state, problems: [...others, ...event.problems] })
    }
    case 'userAdded':
      return stored(
        state,
        withData(state, { ...state.data, users: withRecord(state.data.users, event.user) }),
      )
    case 'contentPut': {
      const { collection, record } = event
      const base = state.rows[`${tableOf[collection]}/${record.id}`] ?? null
      return changed(state, { collection, id: record.id, action: 'put', record }, base)
    }
    case 'recordUpdated': {
      const { key, fields } = event
      const record = recordOf(state, key)
      if (!record) return to(state)
      return changed(state, putOf(key, { ...record, ...fields, id: key.id }), baseOf(record))
    }
    case 'recordDeleted': {
      const record = recordOf(state, event.key)
      return record ? changed(state, { ...event.key, action: 'delete', record }, baseOf(record)) : to(state)
    }
    case 'retried':
      return retry(state, event.key)
    case 'conflictResolved':
      return resolved(state, event.key, event.choice)
    case 'usersRequested': {
      const { query, request } = event
      const page = pageOfUsers(state.data.users, query)
      return to({ ...state, users: { query, page, loading: true, request } })
    }
    case 'usersReceived':
      return event.request === state.users.request ? usersReceived(state, event.page) : to(state)
    case 'contentReceived':
      return stored(state, withContent({ ...state, build: event.build ?? state.build }, event.rows))
    case 'reloaded':
      return state.server === 'online' ? retry(state) : to(state)
    case 'changeSent':
      return changeSent(state, event.change, agreed(event.change, event.outcome))
    case 'closed':
      return to({ ...state, isClosed: true })
  }
}

const to = (state: AdminState, ...commands: AdminCommand[]): AdminStep => ({ state, commands })

/** Goes on to the next state, and stores what has changed in it. */
function stored(before: AdminState, after: AdminState, ...commands: AdminCommand[]): AdminStep {
  const names = storedNames.filter((name) => storedPart(after, name) !== storedPart(before, name))
  return to(after, ...(names.length > 0 ? [{ type: 'store', names } as const] : []), ...commands)
}

/** Returns what the browser stores under a name. */
export const storedPart = ({ data, unsaved }: AdminState, name: StoredName): Stored[StoredName] =>
  name === 'unsaved' ? unsaved : data[name]

/** Returns the changes that only this page has: the server has not confirmed them, and the browser cannot store them. */
export const keptByPageAlone = ({ unsaved, problems }: AdminState): readonly UnsavedChange[] =>
  problems.some(
    (problem) => problem.name === 'unsaved' && (problem.kind !== 'damaged' || problem.keptAs === null),
  )
    ? unsaved
    : []

/** Replaces the data; the page of users on screen shows its rows as they are now. */
function withData(state: AdminState, data: AdminData): AdminState {
  const byId = new Map(data.users.map((user) => [user.id, user]))
  const { page } = state.users
  const users = page.users.map((user) => byId.get(user.id) ?? user)
  return { ...state, data, users: { ...state.users, page: { ...page, users } } }
}

const withStored = (state: AdminState, { unsaved = state.unsaved, ...data }: Partial<Stored>): AdminState =>
  withData({ ...state, unsaved }, { ...state.data, ...data })

/**
 * Takes over what another tab has stored. Browsers show a tab with a delay what another one stores, so the other tab may
 * have stored rows that are older than those that this one knows of. Then the server is asked again.
 */
function withStoredElsewhere(before: AdminState, elsewhere: Partial<Stored>): AdminStep {
  const state = withStored(before, elsewhere)
  const isOlder = (collection: ContentCollection): boolean =>
    state.data[collection].some(({ id, updatedAt = '' }) => {
      const known = state.rows[`${tableOf[collection]}/${id}`]
      return known !== undefined && updatedAt < known && !state.unsaved.some(sameRecord({ collection, id }))
    })
  return to(state, ...(isOlder('faqs') || isOlder('demos') ? [{ type: 'reload' } as const] : []))
}

/** Takes over what this browser has stored. Seeds absent FAQs and demos from the build, and stores them. */
function opened(state: AdminState, { unsaved = [], ...data }: Partial<Stored>): AdminStep {
  const all: AdminData = { users: [], demos: state.build.demos, faqs: state.build.faqs, ...data }
  const names = (['demos', 'faqs'] as const).filter((name) => !data[name])
  const after: AdminState = {
    ...state,
    data: all,
    // No page is sending these any more. They are sent again once the server answers.
    unsaved: unsaved.map((each) =>
      each.state === 'waiting' ? { ...each, state: 'failed', reason: 'It was not sent yet.' } : each,
    ),
    users: { ...state.users, page: pageOfUsers(all.users, state.users.query), loading: true },
    isClosed: false,
  }
  return to(after, ...(names.length > 0 ? [{ type: 'store', names } as const] : []))
}

/** Finds a record; a user also on the page on screen. */
const recordOf = ({ data, users }: AdminState, key: RecordKey): RecordOf<Collection> | undefined =>
  [...data[key.collection], ...(key.collection === 'users' ? users.page.users : [])].find(
    ({ id }) => id === key.id,
  )

const putOf = ({ collection, id }: RecordKey, record: object): Change => ({
  collection,
  id,
  action: 'put',
  record: record as UnsavedChange['record'],
})

/** Returns the version that a change of this record is based on; null if it has no row. */
const baseOf = (record: RecordOf<Collection>): string | null =>
  'email' in record ? record.subscriptionStatus : (record.updatedAt ?? null)

/** Makes a change here, and sends it to the server. */
function changed(before: AdminState, change: Change, base: string | null): AdminStep {
  const after = withData(before, applyChange(before.data, change))
  return sendWaiting(before, { ...after, unsaved: withChange(after.unsaved, change, base) }, change)
}

/** Stores what has changed since `before`, and sends the waiting changes, or that of one record. */
function sendWaiting(before: AdminState, state: AdminState, key?: RecordKey): AdminStep {
  const ready = state.unsaved.filter(
    (each) =>
      each.state === 'waiting' && (!key || sameRecord(key)(each)) && !state.sending.some(sameRecord(each)),
  )
  const sending = [...state.sending, ...ready.map(({ collection, id }) => ({ collection, id }))]
  return stored(before, { ...state, sending }, ...ready.map((change) => ({ type: 'send', change }) as const))
}

const retry = (state: AdminState, key?: RecordKey): AdminStep =>
  state.isClosed ? to(state) : sendWaiting(state, { ...state, unsaved: retried(state.unsaved, key) }, key)

function changeSent(before: AdminState, change: UnsavedChange, outcome: WriteOutcome): AdminStep {
  const isSame = sameRecord(change)
  const unsaved = withOutcome(before.unsaved, change, outcome)
  const after = { ...before, unsaved, sending: before.sending.filter((each) => !isSame(each)) }
  const { state, commands } = sendWaiting(
    before,
    outcome.kind === 'saved' ? withSaved(after, change, outcome) : after,
    change,
  )
  // The server answers again, so its data may be newer.
  const isBack = outcome.kind !== 'failed' && before.server === 'offline'
  return to(state, ...commands, ...(isBack ? [{ type: 'reload' } as const] : []))
}

/** Takes over the record and its version as the database saved them, unless the record was changed or deleted again. */
function withSaved(
  state: AdminState,
  { collection, id }: RecordKey,
  { record, version }: WriteOutcome & { kind: 'saved' },
): AdminState {
  const after = withVersion(state, { collection, id }, version)
  const isLatest = !state.unsaved.some(sameRecord({ collection, id }))
  return record && isLatest && state.data[collection].some((each) => each.id === id)
    ? withData(after, applyChange(after.data, { collection, id, action: 'put', record }))
    : after
}

const withVersion = (state: AdminState, { collection, id }: RecordKey, version: string | null): AdminState =>
  collection === 'users' || version === null
    ? state
    : { ...state, rows: { ...state.rows, [`${tableOf[collection]}/${id}`]: version } }

function resolved(before: AdminState, key: RecordKey, choice: 'mine' | 'theirs'): AdminStep {
  const conflict = before.unsaved.find(sameRecord(key))
  if (conflict?.state !== 'conflict') return to(before)
  const { theirs = null, theirVersion = null } = conflict
  const others = { ...before, unsaved: before.unsaved.filter((each) => each !== conflict) }
  if (choice === 'mine') return changed(others, conflict, theirVersion)
  const action = theirs ? 'put' : 'delete'
  const data = applyChange(before.data, { ...conflict, action, record: theirs ?? conflict.record })
  return stored(before, withData(withVersion(others, key, theirVersion), data))
}

function usersReceived(state: AdminState, page: UserPage | undefined): AdminStep {
  if (!page) return to({ ...state, users: { ...state.users, loading: false }, server: 'offline' })
  const { query } = state.users
  const isFirst = query.search === '' && query.status === null && query.page === 0
  const users = isFirst ? page.users : page.users.reduce<readonly AdminUser[]>(withRecord, state.data.users)
  const unsaved = state.unsaved.filter(({ collection }) => collection === 'users')
  return stored(
    state,
    withData(
      { ...state, users: { ...state.users, page, loading: false } },
      applyUnsaved({ ...state.data, users }, unsaved),
    ),
  )
}

/** Merges the database's rows into the published entries; if the rows could not be read, all stays as it is. */
function withContent(state: AdminState, rows: ContentRows | undefined): AdminState {
  const { data, unsaved, build } = state
  if (!rows) return { ...state, server: 'offline' }
  const versionsOf = (name: ContentCollection): [string, string][] =>
    rows[name].map(({ record }) => [`${tableOf[name]}/${record.id}`, record.updatedAt ?? ''])
  return withData(
    {
      ...state,
      server: 'online',
      rows: Object.fromEntries([...versionsOf('faqs'), ...versionsOf('demos')]),
      settings: rows.settings,
    },
    applyUnsaved(
      {
        users: data.users,
        faqs: mergeRows(build.faqs, rows.faqs),
        demos: mergeRows(build.demos, rows.demos),
      },
      unsaved,
    ),
  )
}
