import { storageKey } from '#site'
import { parseRecords, type Collection, type RecordOf } from '#admin/domain/admin-data.ts'
import { parseUnsaved, type UnsavedChange } from '#admin/domain/unsaved-changes.ts'

/** The part of `localStorage` that is used. Each of its members may throw. */
export type KeyStorage = Pick<Storage, 'getItem' | 'setItem'>

export type StoredName = Collection | 'unsaved'

/** `<prefix>_users`, `<prefix>_demos`, `<prefix>_faqs` (specification, section 4), and the changes still to be sent. */
export const adminKey = (name: StoredName): string => storageKey(name)

/** What went wrong with the browser's storage. Nothing is lost by it: the data lives on in this page. */
export type StorageTrouble =
  /** What a key held could not be read; `keptAs` is the key it was put aside under, null where even that failed. */
  | { kind: 'damaged'; name: StoredName; text: string; keptAs: string | null }
  /** There is no room for a key's text, or the browser lets nothing be stored at all. */
  | { kind: 'full' | 'closed'; name: StoredName }

export interface AdminStorage {
  /** The records of a key; null where it is absent, or cannot be read at all. */
  readRecords<Name extends Collection>(name: Name): RecordOf<Name>[] | null
  readUnsaved(): UnsavedChange[] | null
  write(name: StoredName, value: unknown): void
  /** Whether another tab has written the key since we last read or wrote it. */
  isOvertaken(name: StoredName): boolean
}

const isQuota = (error: unknown): boolean =>
  error instanceof DOMException && /quota/i.test(`${error.name} ${error.message}`)

/**
 * The admin's keys in the browser's storage.
 * @param tell is told the troubles of a name whenever they change; an empty list when they are over
 */
export function openAdminStorage(
  storage: () => KeyStorage,
  now: () => number,
  tell: (name: StoredName, troubles: readonly StorageTrouble[]) => void,
): AdminStorage {
  /** The text of each key as this page knows it. */
  const known = new Map<StoredName, string>()
  const damaged = new Map<StoredName, StorageTrouble>()
  const unwritable = new Map<StoredName, StorageTrouble>()

  const report = (name: StoredName): void =>
    tell(
      name,
      [damaged.get(name), unwritable.get(name)].filter((trouble) => trouble !== undefined),
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

  /** Puts a text that cannot be read aside, so that the next write does not destroy it. */
  function setAside(name: StoredName, text: string): void {
    const key = `${adminKey(name)}_damaged_${now()}`
    let keptAs: string | null = null
    try {
      storage().setItem(key, text)
      keptAs = key
    } catch {
      // No room for a second copy: the first stays where it is, and is not written over.
    }
    damaged.set(name, { kind: 'damaged', name, text, keptAs })
    report(name)
  }

  function read<Value>(
    name: StoredName,
    parse: (text: string) => { value: Value; damaged: boolean },
  ): Value | null {
    const text = textOf(name)
    if (text === null) return null
    known.set(name, text)
    const parsed = parse(text)
    if (parsed.damaged) setAside(name, text)
    return parsed.value
  }

  return {
    readRecords: (name) =>
      read(name, (text) => {
        const { records, damaged: isDamaged } = parseRecords(name, text)
        return { value: isDamaged && records.length === 0 ? null : records, damaged: isDamaged }
      }),
    readUnsaved: () =>
      read('unsaved', (text) => {
        const { changes, damaged: isDamaged } = parseUnsaved(text)
        return { value: changes, damaged: isDamaged }
      }),
    write(name, value) {
      const aside = damaged.get(name)
      if (aside?.kind === 'damaged' && aside.keptAs === null) return
      const text = JSON.stringify(value)
      try {
        storage().setItem(adminKey(name), text)
        known.set(name, text)
        if (unwritable.delete(name)) report(name)
      } catch (error) {
        unwritable.set(name, { kind: isQuota(error) ? 'full' : 'closed', name })
        report(name)
      }
    },
    isOvertaken(name) {
      if (unwritable.has(name)) return false
      const text = textOf(name)
      return text !== null && text !== known.get(name)
    },
  }
}
