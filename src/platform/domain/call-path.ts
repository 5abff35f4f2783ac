import { routes } from './routes.ts'

/** The dashboard with a call opened. */
export const callPath = (id: string): string => `${routes.portal}?call=${encodeURIComponent(id)}`

/** Returns the call that an address opens; null if it opens none. Earlier mails name it after the `#`. */
export const callIn = ({ search, hash }: Pick<Location, 'search' | 'hash'>): string | null =>
  new URLSearchParams(search).get('call') ?? /^#call-(.+)/.exec(hash)?.[1] ?? null
