import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'

const key = storageKey('unanswered_payment')

/**
 * Remembers, in this tab alone, for which e-mail a payment was requested whose outcome is not known yet. Whoever has paid
 * without knowing it has an account by now, so the look-up no longer tells a payer from somebody else: the server does.
 */
export const unansweredPayment = {
  remember: (email: string) => void tabStorage.write(key, email),
  forget: () => tabStorage.remove(key),
  /** Returns the e-mail, or null. */
  email: () => tabStorage.read(key),
}
