import type { AuthChangeEvent } from '@supabase/auth-js'
import * as z from 'zod/mini'
import { storageKey } from '#site'
import type { SafeStorage } from './storage.ts'

/** The start of a session is not sent if its token is older than this (specification, section 9). */
const maximumTokenAgeMs = 5 * 60_000
/** The start of a session is not sent again within this time, whatever page repeats the event (section 9). */
const eventCacheMs = 10 * 60_000

const sentKey = storageKey('token_sync')

interface Settings {
  /** The configured URL; undefined if there is none. */
  url: string | undefined
  /** Our own origin; a token is sent to no other. */
  origin: string
  /** Keeps the last request from page to page. */
  storage: Pick<SafeStorage, 'read' | 'write' | 'remove'>
  fetch?: typeof fetch
  /** Returns the time in milliseconds since 1970. */
  now?: () => number
}

/** Handles a change of the session, as the auth client reports it. */
type TokenSync = (event: AuthChangeEvent, accessToken: string | undefined) => void

/**
 * Sends a request to a configured URL on our own origin when a session starts or is refreshed (POST) and when it ends
 * (DELETE), with the access token as bearer. Nothing waits for the answer, and a failure is ignored.
 */
export function createTokenSync({
  url,
  origin,
  storage,
  fetch = globalThis.fetch.bind(globalThis),
  now = Date.now,
}: Settings): TokenSync {
  const target = url ? new URL(url, origin) : undefined
  if (target?.origin !== origin) return () => undefined

  // The event at the end of a session has no token, so the last one is remembered from the page's first event on.
  let lastToken: string | undefined

  const send = (method: 'POST' | 'DELETE', token: string | undefined): void => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    fetch(target.href, { method, headers, keepalive: true }).catch(() => undefined)
  }

  const sendStart = (token: string): void => {
    const issuedAt = issuedAtMs(token)
    if (issuedAt === undefined || now() - issuedAt > maximumTokenAgeMs) return
    const mark = token.slice(-16)
    const sent = parseSent(storage.read(sentKey))
    if (sent && sent.mark === mark && now() - sent.at < eventCacheMs) return
    storage.write(sentKey, JSON.stringify({ mark, at: now() }))
    send('POST', token)
  }

  return (event, accessToken) => {
    if (event === 'SIGNED_OUT') {
      storage.remove(sentKey)
      send('DELETE', lastToken)
      lastToken = undefined
    } else if (accessToken !== undefined) {
      lastToken = accessToken
      if (event === 'SIGNED_IN' || event === 'TOKEN_REFRESHED') sendStart(accessToken)
    }
  }
}

const sentRecord = z.object({ mark: z.string(), at: z.number() })
const claims = z.object({ iat: z.number() })

function parseSent(stored: string | null): z.infer<typeof sentRecord> | undefined {
  if (stored === null) return undefined
  try {
    return z.parse(sentRecord, JSON.parse(stored))
  } catch {
    return undefined
  }
}

/** Returns when a JSON Web Token was issued, in milliseconds since 1970; undefined if it is none. */
function issuedAtMs(token: string): number | undefined {
  try {
    const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return z.parse(claims, JSON.parse(atob(payload))).iat * 1000
  } catch {
    return undefined
  }
}
