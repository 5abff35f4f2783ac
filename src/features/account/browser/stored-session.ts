import * as z from 'zod/mini'
import { browserStorage } from '#platform/browser/storage/storage.ts'
import { storageKey } from '#site'

const stored = z.object({
  access_token: z.string(),
  expires_at: z.number(),
  user: z.object({ email: z.string() }),
})

/**
 * Reads the session as it is stored, without the client of the accounts, for pages that do not load it.
 * @returns the e-mail, and the access token if it has not expired; undefined if nobody is logged in
 */
export function storedSession(now = Date.now()): { email: string; accessToken?: string } | undefined {
  try {
    const { data } = z.safeParse(stored, JSON.parse(browserStorage.read(storageKey('auth')) ?? ''))
    if (!data) return undefined
    const { email } = data.user
    return data.expires_at * 1000 > now ? { email, accessToken: data.access_token } : { email }
  } catch {
    return undefined
  }
}
