import { atom } from 'nanostores'
import { createQueue } from '#platform/domain/queue.ts'
import type { SavedOver } from './save-over.ts'
import { noteUnsaved } from './unsaved.ts'

/** A text field that is saved by itself. */
export interface TypedField<Value> {
  /** Names it in this page; it begins with the customer's id. */
  name: string
  /** Names it for the customer. */
  label: string
  /** Where it is shown, if that is not the usual place. */
  place?: string
  text: (value: Value) => string
  parse: (typed: string) => { value: Value } | { problem: string }
  /** Saves a value over the one that the page knew when the customer began to type. */
  save: (change: { value: Value; known: Value }) => Promise<SavedOver<Value>>
  /** Takes over a value into what the page knows. */
  note: (value: Value) => void
}

/** What was typed into a field. */
interface TypedText {
  typed: string
  status: 'typed' | 'refused' | 'saving' | 'saved' | 'failed' | 'overtaken'
  /** Why it is refused. */
  problem?: string
  /** What another tab or device has saved. */
  theirs?: string
}

/** What was typed into the fields of this page, by their names. It outlives the fields: they may leave the page and return. */
export const $typed = atom<Readonly<Record<string, TypedText>>>({})

/** What is not saved: the field, the value that it is typed over, and what another one has saved. */
interface Open {
  field: TypedField<unknown>
  known: unknown
  theirs?: unknown
}
const open = new Map<string, Open>()
const inTurn = createQueue()

function set(
  { name, label, place }: Pick<TypedField<unknown>, 'name' | 'label' | 'place'>,
  text: TypedText,
): void {
  $typed.set({ ...$typed.get(), [name]: text })
  const { status } = text
  if (status === 'saved') {
    open.delete(name)
    noteUnsaved(name, null)
  } else
    noteUnsaved(name, {
      label,
      place,
      isStuck: status === 'refused' || status === 'failed' || status === 'overtaken',
      retry: status === 'failed' ? () => void saveField(name) : undefined,
    })
}

/** Takes over what is typed. */
export function typeInto<Value>(field: TypedField<Value>, known: Value, typed: string): void {
  const before = open.get(field.name)
  const any = field as unknown as TypedField<unknown>
  open.set(field.name, { ...before, field: any, known: before ? before.known : known })
  const status = before && 'theirs' in before ? 'overtaken' : 'typed'
  const { theirs } = $typed.get()[field.name] ?? {}
  set(field, { typed, status, theirs: status === 'overtaken' ? theirs : undefined })
}

/** Saves what is typed, after what is being saved. A conflict waits for the customer's choice. */
export function saveField(name: string): Promise<void> {
  return inTurn(async () => {
    const opened = open.get(name)
    const before = $typed.get()[name]
    if (!opened || !before || before.status === 'overtaken') return
    const { field, known } = opened
    const { typed } = before
    const parsed = field.parse(typed)
    if ('problem' in parsed) return set(field, { typed, status: 'refused', problem: parsed.problem })
    const { value } = parsed
    set(field, { typed, status: 'saving' })
    // A test that starts now uses it, even if it is not saved.
    field.note(value)
    const outcome = await field.save({ value, known })
    const now = $typed.get()[name]
    const isNew = now !== undefined && now.typed !== typed
    if (outcome.kind === 'saved') {
      if (!isNew) return set(field, { typed, status: 'saved' })
      open.set(name, { field: opened.field, known: value })
    } else if (outcome.kind === 'overtaken') {
      open.set(name, { ...opened, theirs: outcome.theirs })
      set(field, { typed: now?.typed ?? typed, status: 'overtaken', theirs: field.text(outcome.theirs) })
    } else if (!isNew) set(field, { typed, status: 'failed' })
  })
}

/** Saves what is typed over what another tab or device has saved. */
export function keepMine(name: string): void {
  const opened = open.get(name)
  const text = $typed.get()[name]
  if (!opened || !text) return
  open.set(name, { field: opened.field, known: opened.theirs })
  set(opened.field, { typed: text.typed, status: 'typed' })
  void saveField(name)
}

/** Takes what another tab or device has saved. */
export function takeTheirs(name: string): void {
  const opened = open.get(name)
  if (!opened) return
  opened.field.note(opened.theirs)
  set(opened.field, { typed: opened.field.text(opened.theirs), status: 'saved' })
}
