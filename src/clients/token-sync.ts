import * as z from 'zod/mini'
import { storageKey } from '#site'

/** A token older than this is not told (specification, section 9). */
const maximumTokenAgeMs = 5 * 60_000
/** A sign-in that was told is not told again for so long, whatever page repeats the event (section 9). */
const eventCacheMs = 10 * 60_000

const toldKey = storageKey('token_sync')

interface Settings {
  /** The configured address; undefined means that nobody wants to know. */
  url: string | undefined
  /** Our own origin: a token is sent to no other. */
  origin: string
  /** Where what was told is remembered from page to page. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  fetch?: typeof fetch
  /** Milliseconds since 1970. */
  now?: () => number
}

export interface TokenSync {
  sessionStarted: (accessToken: string) => void
  sessionEnded: () => void
}

const idle: TokenSync = { sessionStarted: () => undefined, sessionEnded: () => undefined }

/**
 * Tells a configured address on our own origin when a session starts or is refreshed (POST) and when it ends
 * (DELETE), with the access token as bearer. Fire and forget: nothing waits for it and nothing fails with it.
 */
export function createTokenSync({
  url,
  origin,
  storage,
  fetch = globalThis.fetch.bind(globalThis),
  now = Date.now,
}: Settings): TokenSync {
  if (!url) return idle
  const address = new URL(url, origin)
  if (address.origin !== origin) return idle

  let lastToken: string | undefined

  const tell = (method: 'POST' | 'DELETE', token: string | undefined): void => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    fetch(address.href, { method, headers, keepalive: true }).catch(() => undefined)
  }

  return {
    sessionStarted(token) {
      const issuedAt = issuedAtMs(token)
      if (issuedAt === undefined || now() - issuedAt > maximumTokenAgeMs) return
      lastToken = token
      const mark = token.slice(-16)
      const told = readTold(storage.getItem(toldKey))
      if (told && told.mark === mark && now() - told.at < eventCacheMs) return
      storage.setItem(toldKey, JSON.stringify({ mark, at: now() }))
      tell('POST', token)
    },
    sessionEnded() {
      storage.removeItem(toldKey)
      tell('DELETE', lastToken)
      lastToken = undefined
    },
  }
}

const toldRecord = z.object({ mark: z.string(), at: z.number() })
const claims = z.object({ iat: z.number() })

function readTold(stored: string | null): z.infer<typeof toldRecord> | undefined {
  if (stored === null) return undefined
  try {
    return z.parse(toldRecord, JSON.parse(stored))
  } catch {
    return undefined
  }
}

/** When a JSON Web Token was issued, in milliseconds; undefined if it is none. */
function issuedAtMs(token: string): number | undefined {
  try {
    const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return z.parse(claims, JSON.parse(atob(payload))).iat * 1000
  } catch {
    return undefined
  }
}
