import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Tables } from './state.ts'

type Name<All> = keyof All & string
type Change<All> = [table: Name<All>, id: string, value: unknown]

/**
 * Tables in memory and a journal on disk. Before a transaction returns, it appends one line with all its changes, so its
 * changes survive a kill at any moment. An incomplete last line is ignored. Opening a store rewrites the journal with one
 * line per record.
 */
export class Store<All extends object = Tables> {
  readonly #tables = new Map<string, Map<string, unknown>>()
  readonly #journal: number | undefined
  readonly #watchers: ((table: Name<All>, id: string) => void)[] = []
  #undo: Change<All>[] | undefined
  #changed = new Map<string, [Name<All>, string]>()

  /**
   * @param file the journal; if absent, the store is in memory only
   * @throws Error if the file cannot be read or written
   */
  constructor(file?: string) {
    if (!file) return
    mkdirSync(dirname(file), { recursive: true })
    for (const line of readLines(file)) this.#replay(line)
    const fresh = `${file}.new`
    writeFileSync(fresh, this.#snapshot())
    renameSync(fresh, file)
    this.#journal = openSync(file, 'a')
  }

  get<T extends Name<All>>(table: T, id: string): Readonly<All[T]> | undefined {
    return this.#table(table).get(id)
  }

  /** All records, oldest first. */
  all<T extends Name<All>>(table: T): Readonly<All[T]>[] {
    return [...this.#table(table).values()]
  }

  /** Stores a record. Never change a stored record in place; store a changed copy. */
  put<T extends Name<All>>(table: T, id: string, value: All[T]): void {
    this.#write(table, id, value)
  }

  remove(table: Name<All>, id: string): void {
    this.#write(table, id, undefined)
  }

  /** Runs a function in a transaction: all its changes are kept, on disk too, or none if it throws. */
  transact<R>(work: () => R): R {
    if (this.#undo) return work()
    this.#undo = []
    try {
      const result = work()
      this.#append()
      const changed = [...this.#changed.values()]
      this.#undo = undefined
      this.#changed = new Map()
      for (const [table, id] of changed) for (const watch of this.#watchers) watch(table, id)
      return result
    } catch (error) {
      for (const [table, id, before] of this.#undo?.reverse() ?? []) set(this.#table(table), id, before)
      throw error
    } finally {
      this.#undo = undefined
      this.#changed = new Map()
    }
  }

  /** Calls back for every record that a transaction has changed, after the change is on disk. */
  watch(callback: (table: Name<All>, id: string) => void): void {
    this.#watchers.push(callback)
  }

  close(): void {
    if (this.#journal === undefined) return
    fsyncSync(this.#journal)
    closeSync(this.#journal)
  }

  #table<T extends Name<All>>(name: T): Map<string, All[T]> {
    let table = this.#tables.get(name)
    if (!table) this.#tables.set(name, (table = new Map()))
    return table as Map<string, All[T]>
  }

  #write(table: Name<All>, id: string, value: unknown): void {
    if (!this.#undo) throw new Error(`A write to ${table} outside a transaction`)
    this.#undo.push([table, id, this.#table(table).get(id)])
    this.#changed.set(`${table}/${id}`, [table, id])
    set(this.#table(table), id, value)
  }

  #append(): void {
    if (this.#journal === undefined || this.#changed.size === 0) return
    const changes = [...this.#changed.values()].map(([table, id]) => [table, id, this.get(table, id) ?? null])
    writeSync(this.#journal, `${JSON.stringify(changes)}\n`)
  }

  #replay(line: string): void {
    for (const [table, id, value] of JSON.parse(line) as Change<All>[]) {
      set(this.#table(table), id, value ?? undefined)
    }
  }

  #snapshot(): string {
    const lines: string[] = []
    for (const [name, table] of this.#tables) {
      for (const [id, value] of table) lines.push(`${JSON.stringify([[name, id, value]])}\n`)
    }
    return lines.join('')
  }
}

function set(table: Map<string, unknown>, id: string, value: unknown): void {
  if (value === undefined) table.delete(id)
  else table.set(id, value)
}

/** Reads the complete lines of the journal; text after the last line break is incomplete. */
function readLines(file: string): string[] {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return text.split('\n').slice(0, -1)
}
