import type { AuthChangeEvent } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import { storageKey } from '#site'
import type { SafeStorage } from './storage.ts'

/** A session whose token is older than this is not told (specification, section 9); its end always is. */
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
  storage: Pick<SafeStorage, 'read' | 'write' | 'remove'>
  fetch?: typeof fetch
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Hears of every change of the session, as the auth client tells it. */
export type TokenSync = (event: AuthChangeEvent, accessToken: string | undefined) => void

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
  const address = url ? new URL(url, origin) : undefined
  if (address?.origin !== origin) return () => undefined

  // The end of a session comes without its token: it is the last one heard of, from the page's first event on.
  let lastToken: string | undefined

  const tell = (method: 'POST' | 'DELETE', token: string | undefined): void => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    fetch(address.href, { method, headers, keepalive: true }).catch(() => undefined)
  }

  const tellStart = (token: string): void => {
    const issuedAt = issuedAtMs(token)
    if (issuedAt === undefined || now() - issuedAt > maximumTokenAgeMs) return
    const mark = token.slice(-16)
    const told = readTold(storage.read(toldKey))
    if (told && told.mark === mark && now() - told.at < eventCacheMs) return
    storage.write(toldKey, JSON.stringify({ mark, at: now() }))
    tell('POST', token)
  }

  return (event, accessToken) => {
    if (event === 'SIGNED_OUT') {
      storage.remove(toldKey)
      tell('DELETE', lastToken)
      lastToken = undefined
    } else if (accessToken !== undefined) {
      lastToken = accessToken
      if (event === 'SIGNED_IN' || event === 'TOKEN_REFRESHED') tellStart(accessToken)
    }
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
