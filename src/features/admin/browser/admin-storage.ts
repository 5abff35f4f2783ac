import { storageKey } from '#site'
import { parseRecords } from '#admin/domain/admin-data.ts'
import { storedNames, type StorageProblem, type Stored, type StoredName } from '#admin/domain/admin-state.ts'
import { parseUnsaved } from '#admin/domain/unsaved-changes.ts'

/** The part of `localStorage` that is used. Each of its members may throw, and how it fails is shown to the admin. */
export type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Returns `<prefix>_users`, `<prefix>_demos`, `<prefix>_faqs` (specification, section 4), or `<prefix>_unsaved`. */
export const adminKey = (name: StoredName): string => storageKey(name)

interface AdminStorage {
  /** Reads what is stored under these names. Leaves out what is absent or wholly unreadable. */
  read(names: readonly StoredName[]): Partial<Stored>
  write(name: StoredName, value: Stored[StoredName]): void
  /** Tells whether a new demo with this recording fits: its data URL is stored twice, in the list and as unsaved. */
  hasRoomFor(dataUrl: string): boolean
  /** Lists the names that another tab has written since this page last read or wrote them. */
  writtenElsewhere(): StoredName[]
  /** Lists the names whose last write failed. */
  unwritten(): StoredName[]
}

/** The room for the other fields of a demo, in characters. */
const otherFields = 10_000

const isQuotaError = (error: unknown): boolean =>
  error instanceof DOMException && /quota/i.test(`${error.name} ${error.message}`)

/**
 * Opens the admin's keys in the browser's storage.
 * @param onProblems receives the problems of a name whenever they change; an empty list once they are over
 */
export function openAdminStorage(
  storage: () => KeyStorage,
  now: () => number,
  onProblems: (name: StoredName, problems: readonly StorageProblem[]) => void,
): AdminStorage {
  /** The text of each key as this page last read or wrote it. */
  const known = new Map<StoredName, string>()
  const damaged = new Map<StoredName, StorageProblem & { kind: 'damaged' }>()
  const unwritable = new Map<StoredName, StorageProblem>()

  const report = (name: StoredName): void =>
    onProblems(
      name,
      [damaged.get(name), unwritable.get(name)].filter((problem) => problem !== undefined),
    )

  function textOf(name: StoredName): string | null {
    try {
      return storage().getItem(adminKey(name))
    } catch {
      unwritable.set(name, { kind: 'closed', name })
      report(name)
      return null
    }
  }

  /** Copies an unreadable text to another key, so that the next write does not destroy it. */
  function setAside(name: StoredName, text: string): void {
    const key = `${adminKey(name)}_damaged_${now()}`
    let keptAs: string | null = null
    try {
      storage().setItem(key, text)
      keptAs = key
    } catch {
      // There is no room for a copy: the text stays under its key, which is not written any more.
    }
    damaged.set(name, { kind: 'damaged', name, text, keptAs })
    report(name)
  }

  function readOne(name: StoredName): Partial<Stored> {
    const text = textOf(name)
    if (text === null) return {}
    known.set(name, text)
    if (name === 'unsaved') {
      const parsed = parseUnsaved(text)
      if (parsed.damaged) setAside(name, text)
      return { unsaved: parsed.changes }
    }
    const parsed = parseRecords(name, text)
    if (parsed.damaged) setAside(name, text)
    return parsed.damaged && parsed.records.length === 0 ? {} : { [name]: parsed.records }
  }

  return {
    read: (names) => Object.assign({}, ...names.map(readOne)) as Partial<Stored>,
    write(name, value) {
      if (damaged.get(name)?.keptAs === null) return
      const text = JSON.stringify(value)
      try {
        storage().setItem(adminKey(name), text)
        known.set(name, text)
        if (unwritable.delete(name)) report(name)
      } catch (error) {
        unwritable.set(name, { kind: isQuotaError(error) ? 'full' : 'closed', name })
        report(name)
      }
    },
    hasRoomFor(dataUrl) {
      const probe = storageKey('room')
      try {
        storage().setItem(probe, dataUrl + dataUrl + ' '.repeat(otherFields))
        storage().removeItem(probe)
        return true
      } catch {
        return false
      }
    },
    writtenElsewhere: () =>
      storedNames.filter((name) => {
        if (unwritable.has(name)) return false
        const text = textOf(name)
        return text !== null && text !== known.get(name)
      }),
    unwritten: () => [...unwritable.keys()],
  }
}
