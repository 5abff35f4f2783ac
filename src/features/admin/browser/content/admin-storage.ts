import { persistentAtom, setPersistentEngine } from '@nanostores/persistent'
import { atom, type WritableAtom } from 'nanostores'
import { storageKey } from '#site'
import { parseRecords, withUnsaved } from '#admin/domain/content/admin-data.ts'
import type { AdminData, Collection, RecordOf } from '#admin/domain/content/admin-data.ts'

/** The part of `localStorage` that is used. Each of its members may throw, and how it fails is shown to the admin. */
export type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A problem with the browser's storage. The data stays in this page. */
type StorageProblem =
  /** A stored text could not be read. `keptAs` is the key of its copy; null if the copy could not be stored. */
  | { kind: 'damaged'; name: Collection; text: string; keptAs: string | null }
  /** The storage has no room for the list, or the browser does not let this page store anything. */
  | { kind: 'full' | 'closed'; name: Collection; keptAs: null }

/** The room for the other fields of a demo, in characters. */
const otherFields = 10_000

const isQuotaError = (error: unknown): boolean =>
  error instanceof DOMException && /quota/i.test(`${error.name} ${error.message}`)

/**
 * Opens the three lists in the browser's storage, which are written with every change. A list that cannot be stored
 * stays in this page, and is reported as a problem.
 * @param seeds the lists to begin with if a key is absent or wholly unreadable
 */
export function openAdminStorage(storage: () => KeyStorage, now: () => number, seeds: AdminData) {
  const problems = atom<readonly StorageProblem[]>([])
  const damaged = new Map<Collection, StorageProblem & { kind: 'damaged' }>()
  /** The lists that this page could not store, and what is stored in their place. */
  const unwritten = new Map<Collection, { text: string; stored: string | null; problem: StorageProblem }>()
  /** By name: makes the list what is stored. */
  const restores = new Map<string, () => void>()
  let isOpen = true

  const report = (): void =>
    problems.set([
      ...new Set([...damaged.values(), ...[...unwritten.values()].map(({ problem }) => problem)]),
    ])

  function read(name: Collection): string | null {
    try {
      return storage().getItem(storageKey(name))
    } catch {
      return null
    }
  }

  /** Returns what this page could not store, unless another tab has stored something since; else what is stored. */
  function latest(name: Collection): string | undefined {
    const [stored, own] = [read(name), unwritten.get(name)]
    return (own?.stored === stored ? own.text : stored) ?? undefined
  }

  function write(name: Collection, text: string): void {
    const broken = damaged.get(name)
    unwritten.delete(name)
    try {
      // The only copy of a damaged text is not overwritten.
      if (broken?.keptAs === null) unwritten.set(name, { text, stored: read(name), problem: broken })
      else storage().setItem(storageKey(name), text)
    } catch (error) {
      const problem = { kind: isQuotaError(error) ? 'full' : 'closed', name, keptAs: null } as const
      unwritten.set(name, { text, stored: read(name), problem })
    }
  }

  /** Parses a stored text. An unreadable one is copied to another key, so that the next write does not destroy it. */
  function decode<Name extends Collection>(name: Name, text: string): readonly RecordOf<Name>[] {
    const parsed = parseRecords(name, text)
    if (parsed.damaged) {
      let keptAs: string | null = `${storageKey(name)}_damaged_${now()}`
      try {
        storage().setItem(keptAs, text)
      } catch {
        keptAs = null
      }
      damaged.set(name, { kind: 'damaged', name, text, keptAs })
      report()
    }
    const list = parsed.damaged && parsed.records.length === 0 ? seeds[name] : parsed.records
    return withUnsaved(list, parseRecords(name, unwritten.get(name)?.text ?? '[]').records)
  }

  // The engine of the three atoms, which never throws. It shows what could not be stored as if it were.
  setPersistentEngine(
    new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => latest(name as Collection),
        has: (_, name) => latest(name as Collection) !== undefined,
        set(_, name, text: string) {
          if (!isOpen) return true
          write(name as Collection, text)
          // There may be room now for the other lists.
          for (const [each, own] of [...unwritten]) if (latest(each) === own.text) write(each, own.text)
          report()
          return true
        },
      },
    ),
    {
      addEventListener: (name, _, restore) => restores.set(name, restore),
      removeEventListener: (name) => restores.delete(name),
    },
  )
  const listOf = <Name extends Collection>(name: Name): WritableAtom<AdminData[Name]> =>
    persistentAtom(name, seeds[name], { encode: JSON.stringify, decode: (text) => decode(name, text) })
  const lists = { users: listOf('users'), demos: listOf('demos'), faqs: listOf('faqs') }

  return {
    lists,
    problems,
    /** Stores what was absent or unreadable. */
    open(): void {
      isOpen = true
      lists.users.set(lists.users.get())
      lists.demos.set(lists.demos.get())
      lists.faqs.set(lists.faqs.get())
    },
    /** From now on nothing is stored. */
    close(): void {
      isOpen = false
    },
    /**
     * Takes over what other tabs have stored; tells whether that is something else. A key that was removed is written
     * with the next change.
     */
    follow(): boolean {
      const before = Object.values(lists).map((list) => list.get())
      for (const [name, restore] of restores) if (latest(name as Collection) !== undefined) restore()
      return Object.values(lists).some((list, index) => list.get() !== before[index])
    },
    /** Tells whether a new demo with this recording fits. */
    hasRoomFor(dataUrl: string): boolean {
      const probe = storageKey('room')
      try {
        storage().setItem(probe, dataUrl + ' '.repeat(otherFields))
        storage().removeItem(probe)
        return true
      } catch {
        return false
      }
    },
  }
}
