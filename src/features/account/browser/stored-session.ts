import { browserStorage } from '#platform/browser/storage/storage.ts'
import { storageKey } from '#site'

/**
 * Reads the session as it is stored, without the client of the accounts, for pages that do not load it.
 * @returns the e-mail, and the access token if it has not expired; undefined if nobody is logged in
 */
export function storedSession(): { email: string; accessToken?: string } | undefined {
  try {
    const { access_token, expires_at, user } = JSON.parse(browserStorage.read(storageKey('auth'))!) as {
      access_token: string
      expires_at: number
      user: { email: string }
    }
    const { email } = user
    return expires_at * 1000 > Date.now() ? { email, accessToken: access_token } : { email }
  } catch {
    return undefined
  }
}
