const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/** What flows ask of the page itself. */
export const page = {
  focus: (id: string): void => document.getElementById(id)?.focus(),
  /** What stands in a field. */
  text: (id: string): string => {
    const field = document.getElementById(id)
    return field instanceof HTMLInputElement ? field.value : ''
  },
  /** A value of the address's query; null if there is none. */
  query: (name: string): string | null => new URLSearchParams(location.search).get(name),
  /** While held, the browser asks before this page is left. */
  hold: (isHeld: boolean): void =>
    isHeld ? addEventListener('beforeunload', ask) : removeEventListener('beforeunload', ask),
  /** Takes the query out of the address bar and of the history. */
  hideQuery: (): void => history.replaceState(history.state, '', location.pathname),
}
