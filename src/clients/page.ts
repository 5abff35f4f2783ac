/** What flows do to the page itself. */
export const page = {
  goTo: (address: string): void => location.assign(address),
  /** Goes to another page and leaves nothing to come back to. */
  replaceWith: (address: string): void => location.replace(address),
  focus: (id: string): void => document.getElementById(id)?.focus(),
  /** A value of the address's query; null if there is none. */
  query: (name: string): string | null => new URLSearchParams(location.search).get(name),
  /** Takes the query out of the address bar and of the history. */
  hideQuery: (): void => history.replaceState(history.state, '', location.pathname),
}
