import { atom, computed, type ReadableAtom, type WritableAtom } from 'nanostores'
import {
  baseOf,
  mergeRows,
  rowName,
  sameContent,
  timestampId,
  withRecord,
  withUnsaved,
  type AdminUser,
  type AnyRecord,
  type AudioDemo,
  type Collection,
  type ContentCollection,
  type ContentRows,
  type FaqEntry,
  type Held,
  type RecordKey,
  type WriteOutcome,
} from '#admin/domain/content/admin-data.ts'
import { firstUsers, pageOfUsers, type UserPage, type UserQuery } from '#admin/domain/users.ts'
import type { ShownSettings, SiteBuild } from '#admin/domain/content/site-build.ts'
import { openAdminStorage, type KeyStorage } from './admin-storage.ts'

/** The server's part in the admin's data. Undefined means that there was no readable answer. */
export interface AdminServer {
  /** Reads the rows of FAQs and demos, tombstones included, and the settings. */
  readRows(): Promise<(ContentRows & { settings?: ShownSettings }) | undefined>
  listUsers(query: UserQuery): Promise<UserPage | undefined>
  /** Writes an unsaved record if its row has the version that the change is based on. */
  write(record: AnyRecord): Promise<WriteOutcome>
  readBuild(): Promise<SiteBuild | undefined>
  /** Uploads the recording of a data URL under a name, and returns its address. */
  uploadAudio(name: string, dataUrl: string): Promise<string | undefined>
}

export interface AdminDataSettings {
  storage: () => KeyStorage
  /** Has the storage events of other tabs. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  server: AdminServer
  /** The build that the admin's own page belongs to. */
  build: SiteBuild
  /** Milliseconds since 1970. */
  now: () => number
}

type Refusal = Exclude<WriteOutcome, { kind: 'saved' }>

/** A record that the server has not confirmed. `waiting`: it is being sent, here or in another tab. */
interface UnsavedChange extends RecordKey {
  record: AnyRecord
  outcome: Refusal | { kind: 'waiting' }
}

export type AdminDataStore = ReturnType<typeof createAdminData>
export type AdminState = ReturnType<AdminDataStore['state']['get']>

const collections = ['users', 'demos', 'faqs'] as const
const nameOf = ({ collection, id }: RecordKey): string => `${collection}/${id}`

/**
 * Keeps the last confirmed rows, and the changes made here, which are marked until the server has confirmed them. Every
 * change is stored in this browser at once, then sent.
 */
export function createAdminData({ storage, events, server, build, now }: AdminDataSettings) {
  const seeds = { users: [], demos: build.demos, faqs: build.faqs }
  const { lists, problems, ...stored } = openAdminStorage(storage, now, seeds)
  const listOf = (name: Collection) => lists[name] as WritableAtom<readonly AnyRecord[]>
  /** What this page knows beside the lists. */
  const page = atom({
    /** `offline`: the server did not answer, and the data is what this browser has stored. */
    server: 'loading' as 'loading' | 'online' | 'offline',
    /** The page of users on screen. */
    users: { query: firstUsers, page: pageOfUsers(lists.users.get(), firstUsers), loading: true },
    /** What the pages that visitors see now were built with. */
    build,
    /** Versions of all rows, tombstones included, by their names: they tell what is not published. */
    rows: {} as Readonly<Record<string, string>>,
    /** The settings of the whole site, published or not. */
    settings: undefined as ShownSettings | undefined,
    /** Why unsaved records were not confirmed when they were sent last. */
    refusals: {} as Readonly<Record<string, Refusal | undefined>>,
  })
  const patch = (part: Partial<ReturnType<typeof page.get>>): void => page.set({ ...page.get(), ...part })
  const sending = new Set<string>()
  let requests = 0
  let unlisten = (): void => {}

  const visible = <Each extends AnyRecord>(list: ReadableAtom<readonly Each[]>) =>
    computed(list, (all) => all.filter(({ unsaved }) => !unsaved?.deleted))
  const state = computed(
    [visible(lists.users), visible(lists.demos), visible(lists.faqs), problems, page],
    (users, demos, faqs, problems, known) => {
      const byId = new Map(users.map((user) => [user.id, user]))
      const shown = known.users.page.users.map((user) => byId.get(user.id) ?? user)
      const unsaved = collections.flatMap((collection) =>
        listOf(collection)
          .get()
          .filter(({ unsaved }) => unsaved)
          .map((record): UnsavedChange => {
            const key = { collection, id: record.id }
            return { ...key, record, outcome: known.refusals[nameOf(key)] ?? { kind: 'waiting' } }
          }),
      )
      return {
        ...known,
        data: { users, demos, faqs },
        users: { ...known.users, page: { ...known.users.page, users: shown } },
        unsaved,
        problems,
        /** A change is in this page alone: the server has not confirmed it, and the browser cannot store it. */
        isAtRisk: unsaved.some(({ collection }) =>
          problems.some((each) => each.name === collection && each.keptAs === null),
        ),
      }
    },
  )

  /** Finds a record, also one whose deletion is unsaved; a user also on the page on screen. */
  const find = ({ collection, id }: RecordKey): AnyRecord | undefined =>
    [...listOf(collection).get(), ...(collection === 'users' ? page.get().users.page.users : [])].find(
      (each) => each.id === id,
    )

  const put = ({ collection, id }: RecordKey, record: AnyRecord | null): void =>
    listOf(collection).set(withRecord(listOf(collection).get(), id, record))

  const settle = (key: RecordKey, refusal?: Refusal): void =>
    patch({ refusals: { ...page.get().refusals, [nameOf(key)]: refusal } })

  /** Takes over what the server holds of a record; of one that was changed here meanwhile, only the version. */
  function accept(key: RecordKey, { record, version }: Held, sent = find(key)): void {
    const { collection, id } = key
    if (collection !== 'users' && version !== null)
      patch({ rows: { ...page.get().rows, [rowName(collection, id)]: version } })
    const present = find(key)
    if (!present?.unsaved || !sent) return
    const isSame = present.unsaved.deleted === sent.unsaved?.deleted && sameContent(present, sent)
    put(key, isSame ? record : { ...present, unsaved: { ...present.unsaved, base: version } })
  }

  /**
   * Takes over what other tabs have stored. Browsers show a tab with a delay what another one stores, so the other tab
   * may have stored rows that are older than those that this one knows of. Then the server is asked again.
   */
  function follow(): void {
    if (!stored.follow()) return
    const { rows } = page.get()
    const isOlder = (name: ContentCollection): boolean =>
      lists[name]
        .get()
        .some(({ id, updatedAt = '', unsaved }) => !unsaved && updatedAt < (rows[rowName(name, id)] ?? ''))
    if (isOlder('demos') || isOlder('faqs')) void reload()
  }

  /** Makes a change here, marks it, and sends it. `base`: the version of the row that it replaces. */
  function change(key: RecordKey, record: AnyRecord, base: string | null, deleted?: boolean): void {
    put(key, { ...record, id: key.id, unsaved: deleted ? { base, deleted } : { base } })
    void send(key)
  }

  /** Changes a record as it was seen here: if another tab has changed it just now, the server refuses the change. */
  function update(key: RecordKey, fields: object, deleted?: boolean): void {
    const seen = find(key)
    follow()
    if (seen && !seen.unsaved?.deleted) change(key, { ...seen, ...fields }, baseOf(seen), deleted)
  }

  function replace(collection: ContentCollection, record: FaqEntry | AudioDemo): void {
    const key = { collection, id: record.id }
    const present = find(key)
    change(key, record, present ? baseOf(present) : (page.get().rows[rowName(collection, record.id)] ?? null))
  }

  function add(collection: ContentCollection, fields: object): string {
    follow()
    const id = timestampId(now(), listOf(collection).get())
    replace(collection, { ...fields, id } as FaqEntry | AudioDemo)
    return id
  }

  /** Sends an unsaved record until it is confirmed or refused. A change that is made meanwhile is sent after it. */
  async function send(key: RecordKey): Promise<void> {
    const name = nameOf(key)
    if (sending.has(name)) return
    sending.add(name)
    settle(key)
    let refusal: Refusal | undefined
    for (let sent = find(key); sent?.unsaved && !refusal; sent = find(key)) {
      const outcome = await server.write(sent)
      follow()
      // If both sides made the same change, it may have been sent twice, because its answer was lost.
      const isAgreed =
        outcome.kind === 'conflict' && sameContent(sent.unsaved.deleted ? null : sent, outcome.record)
      if (outcome.kind === 'saved' || isAgreed) accept(key, outcome, sent)
      else refusal = outcome
    }
    sending.delete(name)
    settle(key, refusal)
    // The server answers again, so its data may be newer.
    if (refusal?.kind !== 'failed' && page.get().server === 'offline') void reload()
  }

  /** Sends all unsaved records, or one, except those in conflict. */
  function retry(only?: RecordKey): void {
    for (const { outcome, ...key } of state.get().unsaved)
      if (outcome.kind !== 'conflict' && (!only || nameOf(only) === nameOf(key))) void send(key)
  }

  /** Ends a conflict with one of its two versions. */
  function resolve(key: RecordKey, choice: 'mine' | 'theirs'): void {
    const theirs = page.get().refusals[nameOf(key)]
    const mine = find(key)
    if (theirs?.kind !== 'conflict' || !mine?.unsaved) return
    if (choice === 'mine') return change(key, mine, theirs.version, mine.unsaved.deleted)
    accept(key, theirs)
    settle(key)
  }

  /** Reads the content again if it changed in this browser meanwhile: the rows may be older than that change. */
  async function loadContent(): Promise<void> {
    const [demos, faqs] = [lists.demos.get(), lists.faqs.get()]
    const [newest, rows] = await Promise.all([server.readBuild(), server.readRows()])
    follow()
    if (rows && (lists.demos.get() !== demos || lists.faqs.get() !== faqs)) return loadContent()
    const { build } = { ...page.get(), ...(newest && { build: newest }) }
    if (!rows) return patch({ build, server: 'offline' })
    lists.demos.set(withUnsaved(mergeRows(build.demos, rows.demos), demos))
    lists.faqs.set(withUnsaved(mergeRows(build.faqs, rows.faqs), faqs))
    const versionsOf = (name: ContentCollection): [string, string][] =>
      rows[name].map(({ record }) => [rowName(name, record.id), record.updatedAt ?? ''])
    const versions = Object.fromEntries([...versionsOf('demos'), ...versionsOf('faqs')])
    patch({ build, server: 'online', rows: versions, settings: rows.settings })
  }

  /** Shows a page of users, and stores it: of thousands of users, only those on screen are kept. */
  async function listUsers(query: UserQuery): Promise<void> {
    const request = (requests += 1)
    const { users: before, server: answered } = page.get()
    const kept = (): UserPage =>
      query === before.query ? before.page : pageOfUsers(lists.users.get(), query)
    // What is stored is no part of another page.
    const isTurned = query.page !== before.query.page && answered !== 'offline'
    patch({ users: { query, page: isTurned ? pageOfUsers([], query) : kept(), loading: true } })
    const found = await server.listUsers(query)
    if (request !== requests) return
    follow()
    if (found) lists.users.set(withUnsaved(found.users, lists.users.get()))
    patch({ users: { query, page: found ?? kept(), loading: false }, ...(!found && { server: 'offline' }) })
  }

  async function reload(): Promise<void> {
    await Promise.all([loadContent(), listUsers(page.get().users.query)])
    retry()
  }

  return {
    state,
    reload,
    listUsers,
    retry,
    resolve,
    /** Writes a record of a backup, or one that was deleted elsewhere, under its own id. */
    restore(collection: ContentCollection, record: FaqEntry | AudioDemo): void {
      follow()
      replace(collection, record)
    },
    /** Reads what this browser has stored, then asks the server. */
    async open(): Promise<void> {
      stored.open()
      unlisten = state.listen(() => {})
      events.addEventListener('storage', follow)
      await reload()
    },
    /** From now on nothing is stored, whatever the server still answers: the admin has logged out or left. */
    close(): void {
      unlisten()
      events.removeEventListener('storage', follow)
      stored.close()
    },
    addUser(user: AdminUser): void {
      follow()
      put({ collection: 'users', id: user.id }, user)
    },
    updateUser: (id: string, fields: Partial<AdminUser>) => update({ collection: 'users', id }, fields),
    /**
     * Returns what a demo is to name as its recording: the data URL if this browser has room for it, else the address
     * under which it was uploaded just now. So no recording in the list is lost when the page is left.
     * @returns undefined if there is no room and the upload failed
     */
    placeAudio: async (dataUrl: string): Promise<string | undefined> =>
      stored.hasRoomFor(dataUrl) ? dataUrl : server.uploadAudio(String(now()), dataUrl),
    addDemo: (demo: Omit<AudioDemo, 'id'>) => add('demos', demo),
    updateDemo: (id: string, fields: Partial<AudioDemo>) => update({ collection: 'demos', id }, fields),
    deleteDemo: (id: string) => update({ collection: 'demos', id }, {}, true),
    addFaq: (faq: Omit<FaqEntry, 'id'>) => add('faqs', faq),
    updateFaq: (id: string, fields: Partial<FaqEntry>) => update({ collection: 'faqs', id }, fields),
    deleteFaq: (id: string) => update({ collection: 'faqs', id }, {}, true),
  }
}
