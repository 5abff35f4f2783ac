import { baseOf, type AdminUser, type AnyRecord, type AudioDemo } from '#admin/domain/content/admin-data.ts'
import type { ContentRow, FaqEntry, WriteOutcome } from '#admin/domain/content/admin-data.ts'
import { pageOfUsers } from '#admin/domain/users.ts'
import type { SiteBuild } from '#admin/domain/content/site-build.ts'
import type { AdminServer } from '#admin/browser/content/admin-data.ts'
import type { KeyStorage } from '#admin/browser/content/admin-storage.ts'

/** The browser's storage in memory. */
export interface MemoryStorage extends KeyStorage {
  values: Map<string, string>
  /** The quota, in characters. */
  room: number
  /** Whether every access throws, as in some private modes. */
  isClosed: boolean
}

export function memoryStorage(values: Record<string, string> = {}): MemoryStorage {
  const storage: MemoryStorage = {
    values: new Map(Object.entries(values)),
    room: Infinity,
    isClosed: false,
    getItem(key) {
      if (storage.isClosed) throw new DOMException('Access is denied', 'SecurityError')
      return storage.values.get(key) ?? null
    },
    setItem(key, text) {
      if (storage.isClosed) throw new DOMException('Access is denied', 'SecurityError')
      const others = [...storage.values].filter(([name]) => name !== key)
      const taken = others.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
      if (taken + key.length + text.length > storage.room)
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      storage.values.set(key, text)
    },
    removeItem: (key) => void storage.values.delete(key),
  }
  return storage
}

/** A server in memory that stores versioned rows like the database. */
export interface MemoryServer extends AdminServer {
  isDown: boolean
  users: AdminUser[]
  faqs: Map<string, ContentRow<FaqEntry>>
  demos: Map<string, ContentRow<AudioDemo>>
  writes: AnyRecord[]
  /** Delays the answers until the returned function is called. */
  hold(): () => void
}

export const published: SiteBuild = {
  builtAt: '2026-11-01T00:00:00.000Z',
  faqs: Array.from({ length: 9 }, (_, index) => ({
    id: `faq-${index + 1}`,
    question: `Question ${index + 1}?`,
    answer: `Answer ${index + 1}.`,
  })),
  demos: ['hotel', 'restaurant', 'clinic'].map((industry) => ({
    id: industry,
    industry,
    title: `At the ${industry}`,
    description: '',
    audioUrl: `/audio/${industry}.mp3`,
  })),
  settings: { contactEmail: null, maintenanceNotice: null },
  rows: {},
}

export function memoryServer(): MemoryServer {
  let version = 0
  let gate: Promise<void> = Promise.resolve()
  const server: MemoryServer = {
    isDown: false,
    users: [],
    faqs: new Map(),
    demos: new Map(),
    writes: [],
    hold() {
      let open = (): void => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    },
    readBuild: () => Promise.resolve(published),
    uploadAudio: (name) => Promise.resolve(server.isDown ? undefined : `/demos/${name}.wav`),
    readRows: () =>
      Promise.resolve(
        server.isDown ? undefined : { faqs: [...server.faqs.values()], demos: [...server.demos.values()] },
      ),
    listUsers: (query) =>
      Promise.resolve(server.isDown ? undefined : pageOfUsers(structuredClone(server.users), query)),
    async write(record): Promise<WriteOutcome> {
      server.writes.push(record)
      await gate
      if (server.isDown) return { kind: 'failed', reason: 'The server could not be reached.' }
      if ('email' in record) return writeStatus(record)
      const rows: Map<string, ContentRow<FaqEntry | AudioDemo>> = 'question' in record
        ? server.faqs
        : server.demos
      const row = rows.get(record.id)
      const present = row?.record.updatedAt ?? null
      if (present !== baseOf(record))
        return { kind: 'conflict', record: row && !row.deleted ? row.record : null, version: present }
      const updatedAt = `v${(version += 1)}`
      const { unsaved, ...fields } = record
      const deleted = unsaved?.deleted === true
      const saved = { ...fields, updatedAt } as FaqEntry
      rows.set(record.id, { record: saved, deleted })
      return { kind: 'saved', record: deleted ? null : saved, version: updatedAt }
    },
  }

  function writeStatus(record: AdminUser): WriteOutcome {
    const user = server.users.find(({ id }) => id === record.id)
    if (!user) return { kind: 'failed', reason: 'This account does not exist.' }
    if (user.plan === null) return { kind: 'conflict', record: { ...user }, version: null }
    const { subscriptionStatus: wanted } = record
    if (user.subscriptionStatus !== baseOf(record) && user.subscriptionStatus !== wanted)
      return { kind: 'conflict', record: { ...user }, version: user.subscriptionStatus }
    user.subscriptionStatus = wanted
    return { kind: 'saved', record: { ...user }, version: wanted }
  }
  return server
}
