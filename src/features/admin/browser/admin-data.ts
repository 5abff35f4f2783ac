import type { ReadableAtom } from 'nanostores'
import { timestampId, type AdminUser, type AudioDemo, type FaqEntry } from '#admin/domain/admin-data.ts'
import {
  initialState,
  storedNames,
  storedPart,
  transition,
  type AdminCommand,
  type AdminEvent,
  type AdminState,
  type ContentCollection,
  type ContentRows,
  type StoredName,
} from '#admin/domain/admin-state.ts'
import type { RecordKey, UnsavedChange, WriteOutcome } from '#admin/domain/unsaved-changes.ts'
import type { UserPage, UserQuery } from '#admin/domain/users.ts'
import type { SiteBuild } from '#admin/domain/site-build.ts'
import { createFlow } from '#platform/browser/flow.ts'
import { adminKey, openAdminStorage, type KeyStorage } from './admin-storage.ts'

/** The server's part in the admin's data. Undefined means that there was no readable answer. */
export interface AdminServer {
  readRows(): Promise<ContentRows | undefined>
  listUsers(query: UserQuery): Promise<UserPage | undefined>
  write(change: UnsavedChange): Promise<WriteOutcome>
  readBuild(): Promise<SiteBuild | undefined>
  /** Uploads the recording of a data URL under a name, and returns its address. */
  uploadAudio(name: string, dataUrl: string): Promise<string | undefined>
}

export interface AdminDataStore {
  state: ReadableAtom<AdminState>
  /** Reads what this browser has stored, then asks the server. */
  open(): Promise<void>
  reload(): Promise<void>
  addUser(user: AdminUser): void
  updateUser(id: string, fields: Partial<AdminUser>): void
  /**
   * Returns what a demo is to name as its recording: the data URL if this browser has room for it, else the address
   * under which it was uploaded just now. So no recording in the list is lost when the page is left.
   * @returns undefined if there is no room and the upload failed
   */
  placeAudio(dataUrl: string): Promise<string | undefined>
  addDemo(demo: Omit<AudioDemo, 'id' | 'updatedAt'>): string
  updateDemo(id: string, fields: Partial<AudioDemo>): void
  deleteDemo(id: string): void
  addFaq(faq: Omit<FaqEntry, 'id' | 'updatedAt'>): string
  updateFaq(id: string, fields: Partial<FaqEntry>): void
  deleteFaq(id: string): void
  /** Writes a record of a backup under its own id. */
  restore(collection: ContentCollection, record: FaqEntry | AudioDemo): void
  /** Sends all failed changes again, or the one of this record. */
  retry(key?: RecordKey): void
  /** Ends a conflict with one of its two versions. */
  resolve(key: RecordKey, choice: 'mine' | 'theirs'): void
  listUsers(query: UserQuery): Promise<void>
  /** Handles a storage event of another tab. A null key means that the storage was emptied. */
  onStorage(key: string | null): void
  close(): void
}

export interface AdminDataSettings {
  storage: () => KeyStorage
  server: AdminServer
  /** The build that the admin's own page belongs to. */
  build: SiteBuild
  /** Milliseconds since 1970. */
  now: () => number
}

/** Runs {@link transition} on this browser's storage and on the server. */
export function createAdminData({ storage, server, build, now }: AdminDataSettings): AdminDataStore {
  const { state, send } = createFlow<AdminState, AdminEvent, AdminCommand>({
    initial: initialState(build),
    transition,
    run,
  })
  const keys = openAdminStorage(storage, now, (name, problems) =>
    send({ type: 'storageChecked', name, problems }),
  )
  let requests = 0

  async function run(command: AdminCommand): Promise<AdminEvent | undefined> {
    switch (command.type) {
      case 'store':
        command.names.forEach(write)
        // There may be room now.
        keys.unwritten().forEach(write)
        return
      case 'send': {
        const { change } = command
        const outcome = await server.write(change)
        readOtherTabs()
        return { type: 'changeSent', change, outcome }
      }
      case 'reload':
        await reload()
        return
    }
  }

  function write(name: StoredName): void {
    // Once the admin has left, only this is still written: the server may yet confirm a change.
    if (!state.get().isClosed || name === 'unsaved') keys.write(name, storedPart(state.get(), name))
  }

  /** Takes over what another tab has stored, so that neither tab overwrites the other. */
  function readOtherTabs(): void {
    const names = keys.writtenElsewhere()
    if (names.length > 0) send({ type: 'storedElsewhere', stored: keys.read(names) })
  }

  function change(event: AdminEvent): void {
    readOtherTabs()
    send(event)
  }

  function add(collection: ContentCollection, fields: object): string {
    readOtherTabs()
    const id = timestampId(now(), state.get().data[collection])
    send({ type: 'contentPut', collection, record: { ...fields, id } as FaqEntry | AudioDemo })
    return id
  }

  const update = (key: RecordKey, fields: object): void => change({ type: 'recordUpdated', key, fields })
  const remove = (key: RecordKey): void => change({ type: 'recordDeleted', key })

  /** Reads the content again if it changed in this browser meanwhile: the rows may be older than that change. */
  async function loadContent(): Promise<void> {
    const { faqs, demos } = state.get().data
    const [build, rows] = await Promise.all([server.readBuild(), server.readRows()])
    readOtherTabs()
    const { data } = state.get()
    if (rows && (data.faqs !== faqs || data.demos !== demos)) return loadContent()
    send({ type: 'contentReceived', build, rows })
  }

  async function listUsers(query: UserQuery): Promise<void> {
    const request = ++requests
    send({ type: 'usersRequested', query, request })
    send({ type: 'usersReceived', request, page: await server.listUsers(query) })
  }

  async function reload(): Promise<void> {
    await Promise.all([loadContent(), listUsers(state.get().users.query)])
    change({ type: 'reloaded' })
  }

  return {
    state,
    reload,
    listUsers,
    async open() {
      send({ type: 'opened', stored: keys.read(storedNames) })
      await reload()
    },
    addUser: (user) => change({ type: 'userAdded', user }),
    updateUser: (id, fields) => update({ collection: 'users', id }, fields),
    placeAudio: async (dataUrl) =>
      keys.hasRoomFor(dataUrl) ? dataUrl : server.uploadAudio(String(now()), dataUrl),
    addDemo: (demo) => add('demos', demo),
    updateDemo: (id, fields) => update({ collection: 'demos', id }, fields),
    deleteDemo: (id) => remove({ collection: 'demos', id }),
    addFaq: (faq) => add('faqs', faq),
    updateFaq: (id, fields) => update({ collection: 'faqs', id }, fields),
    deleteFaq: (id) => remove({ collection: 'faqs', id }),
    restore: (collection, record) => change({ type: 'contentPut', collection, record }),
    retry: (key) => change({ type: 'retried', key }),
    resolve: (key, choice) => change({ type: 'conflictResolved', key, choice }),
    onStorage(key) {
      if (key === null || storedNames.some((name) => adminKey(name) === key)) readOtherTabs()
    },
    close: () => send({ type: 'closed' }),
  }
}
