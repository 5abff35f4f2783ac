/** What a history entry of a page for one-time links holds. */
interface LinkState {
  linkToken?: string
}

const state = (): LinkState | null => history.state as LinkState | null

/**
 * Moves the token of a one-time link from the URL into the state of the history entry, before other code of the page
 * runs: no script of a third party finds it in the URL. After a reload, and after Back, it is still there.
 */
export function takeLinkToken(): void {
  const url = new URL(location.href)
  const linkToken = url.searchParams.get('token')
  if (!linkToken) return
  url.searchParams.delete('token')
  history.replaceState({ ...state(), linkToken }, '', url)
}

/** Returns the token of the link that opened the page, until it is forgotten; null if there is none. */
export const readLinkToken = (): string | null => state()?.linkToken ?? null

/** Forgets a token that has been used or refused. */
export function forgetLinkToken(): void {
  const rest = { ...state() }
  delete rest.linkToken
  history.replaceState(rest, '')
}
