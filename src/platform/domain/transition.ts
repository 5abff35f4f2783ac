/** The result of a transition: the next state, and the commands to run, in order. */
export interface Transition<State, Command> {
  state: State
  commands: readonly Command[]
}
