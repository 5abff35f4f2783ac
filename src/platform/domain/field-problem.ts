import type { Toast } from './toasts.ts'

/** A problem that is shown at a field, as a sentence, until it is corrected or the form is sent again. */
export interface FieldProblem<Field extends string> {
  /** The id of the field; `submit` is the button, for a problem that concerns no field. */
  field: Field
  message: string
  /** The toast that announces the problem. Without one, the sentence is announced itself. */
  toast?: Toast
  /** Further fields that have a problem of their own. The first one gets the focus. */
  also?: readonly { field: Field; message: string }[]
}

/** How an attempt to send a form ends: at a field, by a toast, or on another page. */
export interface Outcome<Field extends string = never> {
  problem?: FieldProblem<Field>
  /** The page to open, which then shows the toast. */
  goTo?: string
  /** Whether Back leads past this page. */
  replace?: boolean
  toast?: Toast
}

/** Returns the problem that a toast announces. By default, its sentence is the toast's description or title. */
export const announced = <Field extends string>(
  field: Field,
  toast: Toast,
  message = (toast.description ?? toast.title).replace(/[^.!?]$/, '$&.'),
): FieldProblem<Field> => ({ field, message, toast })

/**
 * Returns what is left of a problem once a field was edited; undefined if nothing is. A problem with a toast may concern
 * several fields, as a wrong password concerns the e-mail, so an edit of any field corrects it.
 */
export function withoutField<Field extends string>(
  problem: FieldProblem<Field>,
  edited: string,
): FieldProblem<Field> | undefined {
  if (problem.toast !== undefined) return undefined
  const [first, ...also] = [problem, ...(problem.also ?? [])].filter(({ field }) => field !== edited)
  return first && { field: first.field, message: first.message, also }
}

/** Returns the properties with which a field shows the problem, if it has one. */
export function problemAt(
  field: string,
  problem: FieldProblem<string> | undefined,
): { problem?: string; announcesProblem?: boolean } {
  if (problem?.field === field) return { problem: problem.message, announcesProblem: !problem.toast }
  const further = problem?.also?.find((each) => each.field === field)
  return further ? { problem: further.message } : {}
}
