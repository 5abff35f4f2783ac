import type { Toast } from './toasts.ts'

/** The result of a transition: the next state, and the commands to run, in order. */
export interface Transition<State, Command> {
  state: State
  commands: readonly Command[]
}

/** A command that every flow may give and that is run in one way (browser/common-commands.ts). */
export type CommonCommand<FieldId extends string = string> =
  /** Puts the focus into the element with this id. */
  | { type: 'focus'; id: FieldId }
  | { type: 'raiseToast'; toast: Toast }
  | { type: 'raiseToastForNextPage'; toast: Toast }
  /** `replace`: Back does not lead to this page again. */
  | { type: 'goTo'; url: string; replace: boolean }
