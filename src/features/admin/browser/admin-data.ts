import { atom, type ReadableAtom } from 'nanostores'
import {
  collections,
  mergeRows,
  saysTheSame,
  timestampId,
  withRecord,
  type AdminData,
  type AdminUser,
  type AudioDemo,
  type Collection,
  type ContentRow,
  type FaqEntry,
  type RecordOf,
} from '#admin/domain/admin-data.ts'
import {
  applied,
  isAt,
  overlaid,
  retried,
  withChange,
  withOutcome,
  type Place,
  type UnsavedChange,
  type WriteOutcome,
} from '#admin/domain/unsaved-changes.ts'
import { firstUsers, pageOfUsers, type UserPage, type UserQuery } from '#admin/domain/users.ts'
import type { ShownSettings, SiteBuild } from '#admin/domain/site-build.ts'
import {
  adminKey,
  openAdminStorage,
  type KeyStorage,
  type StorageTrouble,
  type StoredName,
} from './admin-storage.ts'

export interface ServerRows {
  faqs: ContentRow<FaqEntry>[]
  demos: ContentRow<AudioDemo>[]
  settings?: ShownSettings
}

/** The server, as far as the admin's data goes. Undefined stands for no answer. */
export interface AdminServer {
  readRows(): Promise<ServerRows | undefined>
  listUsers(query: UserQuery): Promise<UserPage | undefined>
  write(change: UnsavedChange): Promise<WriteOutcome>
  readBuild(): Promise<SiteBuild | undefined>
}

export interface AdminState {
  data: AdminData
  /** Changes that the server has not confirmed. */
  unsaved: readonly UnsavedChange[]
  troubles: readonly StorageTrouble[]
  /** `local`: there is no server at hand, this browser's copy is what there is. */
  server: 'asking' | 'answered' | 'local'
  /** The page of users that is looked at. */
  users: { query: UserQuery; page: UserPage; asking: boolean }
  /** What the pages that are served now were built with. */
  build: SiteBuild | undefined
  /** Versions of all rows, tombstones included, by table and id: to tell what is not published. */
  rows: Readonly<Record<string, string>>
  /** What is set for the whole site, published or not. */
  settings: ShownSettings | undefined
}

export interface AdminDataStore {
  state: ReadableAtom<AdminState>
  /** Reads the storage and seeds what is absent; then the server's rows take the cache's place. */
  open(): Promise<void>
  reload(): Promise<void>
  addUser(user: AdminUser): void
  updateUser(id: string, changes: Partial<AdminUser>): void
  addDemo(demo: Omit<AudioDemo, 'id' | 'updatedAt'>): string
  updateDemo(id: string, changes: Partial<AudioDemo>): void
  deleteDemo(id: string): void
  addFaq(faq: Omit<FaqEntry, 'id' | 'updatedAt'>): string
  updateFaq(id: string, changes: Partial<FaqEntry>): void
  deleteFaq(id: string): void
  /** Writes a record as it stands, under its own id: for restoring a backup. */
  restore(collection: 'demos' | 'faqs', record: FaqEntry | AudioDemo): void
  /** Sends again what failed: all of it, or the change at one place. */
  retry(place?: Place): void
  /** Ends a conflict with one of its two versions. */
  resolve(place: Place, choice: 'mine' | 'theirs'): void
  listUsers(query: UserQuery): Promise<void>
  /** Another tab has written a key; null: it has emptied the storage. */
  noticeKey(key: string | null): void
  /** Stores no records any more: who is logged out has left, whatever the server still answers. */
  close(): void
}

interface Settings {
  storage: () => KeyStorage
  server: AdminServer
  /** Milliseconds since 1970. */
  now: () => number
}

const nothing: AdminData = { users: [], demos: [], faqs: [] }
const placeText = ({ collection, id }: Place): string => `${collection}/${id}`
const tableOf = { faqs: 'faqs', demos: 'audio_demos' } as const

/**
 * The admin's data: this browser's storage first, written at once with every change; then the server, to which the
 * same change goes. What it has not confirmed stays marked as unsaved, through reloads too.
 */
export function createAdminData({ storage, server, now }: Settings): AdminDataStore {
  const state = atom<AdminState>({
    data: nothing,
    unsaved: [],
    troubles: [],
    server: 'asking',
    users: { query: firstUsers, page: { users: [], total: 0, counts: {} }, asking: true },
    build: undefined,
    rows: {},
    settings: undefined,
  })
  const change = (part: Partial<AdminState>): void => state.set({ ...state.get(), ...part })
  const kept = openAdminStorage(storage, now, (name, troubles) =>
    change({ troubles: [...state.get().troubles.filter((each) => each.name !== name), ...troubles] }),
  )

  const sending = new Set<string>()
  let latestList = 0
  let isClosed = false

  /** Writes what has changed, and what could not be written before: there may be room now. */
  function store(names: readonly StoredName[]): void {
    const { data, unsaved, troubles } = state.get()
    const unwritten = troubles.flatMap(({ kind, name }) => (kind === 'damaged' ? [] : [name]))
    for (const name of new Set([...names, ...unwritten]))
      // What the server has taken is not unsaved any more, whoever is gone.
      if (!isClosed || name === 'unsaved') kept.write(name, name === 'unsaved' ? unsaved : data[name])
  }

  function setData(data: AdminData): void {
    const before = state.get().data
    change({ data, users: repainted(data) })
    store(collections.filter((name) => data[name] !== before[name]))
  }

  function setUnsaved(unsaved: readonly UnsavedChange[]): void {
    if (unsaved === state.get().unsaved) return
    change({ unsaved })
    store(['unsaved'])
  }

  /** The page of users with its rows as the data has them now. */
  function repainted(data: AdminData): AdminState['users'] {
    const { users } = state.get()
    const byId = new Map(data.users.map((user) => [user.id, user]))
    const rows = users.page.users.map((user) => byId.get(user.id) ?? user)
    return { ...users, page: { ...users.page, users: rows } }
  }

  /** Takes over what another tab has written, so that neither tab writes over the other. */
  function catchUp(): void {
    let { data } = state.get()
    for (const name of collections) {
      if (!kept.isOvertaken(name)) continue
      const records = kept.readRecords(name)
      if (records) data = { ...data, [name]: records }
    }
    if (kept.isOvertaken('unsaved')) change({ unsaved: kept.readUnsaved() ?? state.get().unsaved })
    if (data !== state.get().data) change({ data, users: repainted(data) })
  }

  function make(
    next: Pick<UnsavedChange, 'collection' | 'id' | 'action' | 'record'>,
    base: string | null,
  ): void {
    setData(applied(state.get().data, next))
    setUnsaved(withChange(state.get().unsaved, { ...next, base }))
    void send(next)
  }

  async function send(place: Place): Promise<void> {
    const text = placeText(place)
    const waiting = state.get().unsaved.find(isAt(place))
    if (!waiting || waiting.state !== 'waiting' || sending.has(text)) return
    sending.add(text)
    const outcome = agreed(waiting, await server.write(waiting))
    sending.delete(text)
    catchUp()
    const after = withOutcome(state.get().unsaved, waiting, outcome)
    const isLast = !after.some(isAt(place))
    if (outcome.kind === 'saved') noteSaved(place, outcome, isLast)
    setUnsaved(after)
    // It answers again: what it holds is news, too.
    if (outcome.kind !== 'failed' && state.get().server === 'local') void reload()
    void send(place)
  }

  /** Treats a conflict as saved if both sides made the same change, such as one whose answer was lost and that was sent again. */
  function agreed(sent: UnsavedChange, outcome: WriteOutcome): WriteOutcome {
    if (outcome.kind !== 'conflict') return outcome
    const mine = sent.action === 'delete' ? null : sent.record
    return saysTheSame(mine, outcome.theirs)
      ? { kind: 'saved', record: outcome.theirs, version: outcome.version }
      : outcome
  }

  function noteSaved(
    { collection, id }: Place,
    saved: WriteOutcome & { kind: 'saved' },
    isLast: boolean,
  ): void {
    noteVersion({ collection, id }, saved.version)
    const record = saved.record
    if (!record || !isLast) return
    if (state.get().data[collection].some((each) => each.id === id))
      setData(applied(state.get().data, { collection, id, action: 'put', record }))
  }

  function noteVersion({ collection, id }: Place, version: string | null): void {
    if (collection === 'users' || version === null) return
    change({ rows: { ...state.get().rows, [`${tableOf[collection]}/${id}`]: version } })
  }

  const find = <Name extends Collection>(name: Name, id: string): RecordOf<Name> | undefined =>
    (state.get().data[name] as readonly RecordOf<Name>[]).find((each) => each.id === id)

  /** The version to build on: the row's; of what never was a row, none. */
  const baseOf = (record: { updatedAt?: string | undefined }): string | null => record.updatedAt ?? null

  function addContent(collection: 'demos' | 'faqs', fields: object): string {
    catchUp()
    const id = timestampId(now(), state.get().data[collection])
    const record = { ...fields, id } as FaqEntry | AudioDemo
    make({ collection, id, action: 'put', record }, null)
    return id
  }

  function updateContent(collection: 'demos' | 'faqs', id: string, changes: object): void {
    catchUp()
    const record = find(collection, id)
    if (record) make({ collection, id, action: 'put', record: { ...record, ...changes, id } }, baseOf(record))
  }

  function deleteContent(collection: 'demos' | 'faqs', id: string): void {
    catchUp()
    const record = find(collection, id)
    if (record) make({ collection, id, action: 'delete', record }, baseOf(record))
  }

  async function loadContent(): Promise<void> {
    const [build, rows] = await Promise.all([server.readBuild(), server.readRows()])
    change({ build: build ?? state.get().build })
    catchUp()
    const { data, unsaved } = state.get()
    if (!rows) {
      change({ server: 'local' })
      if (build && unknown.size > 0) setData(overlaid({ ...data, ...absent(build) }, unsaved))
      return
    }
    const versions: [string, string][] = [
      ...rows.faqs.map(({ record }): [string, string] => [`faqs/${record.id}`, record.updatedAt ?? '']),
      ...rows.demos.map(({ record }): [string, string] => [
        `audio_demos/${record.id}`,
        record.updatedAt ?? '',
      ]),
    ]
    const seeds = build ?? {
      faqs: data.faqs.filter(({ updatedAt }) => updatedAt === undefined),
      demos: data.demos.filter(({ updatedAt }) => updatedAt === undefined),
    }
    change({ server: 'answered', rows: Object.fromEntries(versions), settings: rows.settings })
    setData(
      overlaid(
        {
          users: data.users,
          faqs: mergeRows(seeds.faqs, rows.faqs),
          demos: mergeRows(seeds.demos, rows.demos),
        },
        unsaved,
      ),
    )
    unknown.clear()
  }

  /** Keys that held nothing at the start: they get the published entries. */
  const unknown = new Set<'demos' | 'faqs'>()
  function absent(build: SiteBuild): Partial<AdminData> {
    const seeds = Object.fromEntries([...unknown].map((name) => [name, build[name]]))
    unknown.clear()
    return seeds
  }

  async function listUsers(query: UserQuery): Promise<void> {
    const request = ++latestList
    change({ users: { query, page: pageOfUsers(state.get().data.users, query), asking: true } })
    const page = await server.listUsers(query)
    if (request !== latestList) return
    if (!page) return change({ users: { ...state.get().users, asking: false }, server: 'local' })
    const { data, unsaved } = state.get()
    const isFirst = query.search === '' && query.status === null && query.page === 0
    const cached = isFirst ? page.users : page.users.reduce<readonly AdminUser[]>(withRecord, data.users)
    change({ users: { query, page, asking: false } })
    setData(
      overlaid(
        { ...data, users: cached },
        unsaved.filter(({ collection }) => collection === 'users'),
      ),
    )
  }

  async function reload(): Promise<void> {
    await Promise.all([loadContent(), listUsers(state.get().users.query)])
    if (state.get().server === 'answered') retry()
  }

  function retry(place?: Place): void {
    if (isClosed) return
    catchUp()
    setUnsaved(retried(state.get().unsaved, place))
    for (const waiting of state.get().unsaved)
      if (waiting.state === 'waiting' && (!place || isAt(place)(waiting))) void send(waiting)
  }

  return {
    state,
    reload,
    retry,
    listUsers,
    async open() {
      isClosed = false
      const data = { ...nothing }
      for (const name of collections) {
        const records = kept.readRecords(name)
        if (records) Object.assign(data, { [name]: records })
        else if (name !== 'users') unknown.add(name)
      }
      const page = pageOfUsers(data.users, firstUsers)
      change({
        data,
        // Nobody is sending these any more; they are sent again once the server answers.
        unsaved: (kept.readUnsaved() ?? []).map((each) =>
          each.state === 'waiting' ? { ...each, state: 'failed', reason: 'It was not sent yet.' } : each,
        ),
        users: { query: firstUsers, page, asking: true },
      })
      await reload()
    },
    addUser(user) {
      catchUp()
      setData({ ...state.get().data, users: withRecord(state.get().data.users, user) })
    },
    updateUser(id, changes) {
      catchUp()
      const shown = state.get().users.page.users.find((user) => user.id === id)
      const user = find('users', id) ?? shown
      if (user)
        make(
          { collection: 'users', id, action: 'put', record: { ...user, ...changes, id } },
          user.subscriptionStatus,
        )
    },
    addDemo: (demo) => addContent('demos', demo),
    updateDemo: (id, changes) => updateContent('demos', id, changes),
    deleteDemo: (id) => deleteContent('demos', id),
    addFaq: (faq) => addContent('faqs', faq),
    updateFaq: (id, changes) => updateContent('faqs', id, changes),
    deleteFaq: (id) => deleteContent('faqs', id),
    restore(collection, record) {
      catchUp()
      const version = state.get().rows[`${tableOf[collection]}/${record.id}`] ?? null
      make({ collection, id: record.id, action: 'put', record }, version)
    },
    resolve(place, choice) {
      catchUp()
      const { unsaved, data } = state.get()
      const conflict = unsaved.find(isAt(place))
      if (conflict?.state !== 'conflict') return
      const others = unsaved.filter((each) => each !== conflict)
      const { theirs = null, theirVersion = null } = conflict
      setUnsaved(others)
      if (choice === 'mine') return make(conflict, theirVersion)
      noteVersion(place, theirVersion)
      setData(
        applied(data, {
          collection: place.collection,
          id: place.id,
          action: theirs ? 'put' : 'delete',
          record: theirs ?? conflict.record,
        }),
      )
    },
    noticeKey(key) {
      const names: readonly StoredName[] = [...collections, 'unsaved']
      if (key === null || names.some((name) => adminKey(name) === key)) catchUp()
    },
    close() {
      isClosed = true
    },
  }
}
