/** Opens another page of ours in place of this one: Back does not lead here. */
export const replacePage = (url: string): void => location.replace(url)

/** Opens another page; Back leads here. */
export const openPage = (url: string): void => location.assign(url)

/** Returns a parameter of the page's query; null if there is none. */
export const queryParameter = (name: string): string | null => new URLSearchParams(location.search).get(name)

const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Makes the browser ask before this page is left, or no longer. */
export const warnBeforeUnload = (isOn: boolean): void =>
  isOn
    ? addEventListener('beforeunload', askBeforeUnload)
    : removeEventListener('beforeunload', askBeforeUnload)
