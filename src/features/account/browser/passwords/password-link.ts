import {
  passwordProblem,
  refusedPassword,
  type PasswordField,
  type TypedPassword,
} from '#account/domain/passwords.ts'
import type { Outcome } from '#platform/domain/field-problem.ts'
import { loginAfterSignup, loginFor, routes } from '#platform/domain/routes.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import type { AuthResult, LinkPurpose } from '#account/browser/session.ts'
import { storageKey } from '#site'
import { forgetLinkToken } from './link-token.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'

/** The account that a link belongs to. */
interface Account {
  id: string
  email: string
}

interface Purpose {
  /** Shown on the pricing page if the link is incomplete or refused; null if the page itself says that it expired. */
  pricingToasts: { missing: Toast; refused: Toast } | null
  /** Whether a refusal of the password is shown. If not, the button only works again (section 8). */
  showsRefusal: boolean
  /** Onboarding begins anew with this password. */
  resetsOnboarding: boolean
  /** The sessions that end once the password is set: this browser's, or all of the account. */
  endsSessions: 'local' | 'global'
  /** Shown on the login page, which comes next. */
  passwordSet: Toast
  loginUrl: (email: string) => string
}

const purposes: Record<LinkPurpose, Purpose> = {
  signup: {
    pricingToasts: { missing: toasts.missingToken, refused: toasts.invalidLink },
    showsRefusal: false,
    resetsOnboarding: true,
    endsSessions: 'local',
    passwordSet: toasts.accountCreated,
    loginUrl: loginAfterSignup,
  },
  recovery: {
    pricingToasts: null,
    showsRefusal: true,
    resetsOnboarding: false,
    endsSessions: 'global',
    passwordSet: toasts.passwordChanged,
    loginUrl: loginFor,
  },
}

/** The requests and the memory of a page for links; a test passes its own. */
export interface LinkClients {
  /** Returns the token of the link that opened the page; null if there is none. */
  token: () => string | null
  /** Exchanges the token for a session; null if the provider gave none. */
  verify: (token: string) => Promise<AuthResult<Account | null>>
  currentUser: () => Promise<Account | null>
  setPassword: (password: string) => Promise<AuthResult>
  resetOnboarding: (userId: string) => Promise<unknown>
  signOut: (scope: 'local' | 'global') => Promise<void>
  /** Remembers that the link was used and its password is not set yet. */
  progress: { remember: (userId: string) => void; forget: () => void; userId: () => string | null }
}

/** `unreachable`: the provider did not answer; the link can be opened again. */
export type OpenedLink = { account: Account } | 'expired' | 'unreachable'

/**
 * Opens a one-time link: verifies its token (specification, section 4). If the page was loaded again since, looks up the
 * session that the link gave.
 */
export async function openLink(
  linkPurpose: LinkPurpose,
  clients: LinkClients,
): Promise<OpenedLink | { goTo: string; toast: Toast; replace: true }> {
  const { pricingToasts } = purposes[linkPurpose]
  const { progress } = clients
  const token = clients.token()
  const usedBy = progress.userId()
  if (!token && usedBy === null) return pricingToasts ? toPricing(pricingToasts.missing) : 'expired'

  if (token) {
    const verified = await clients.verify(token)
    if (!verified.ok && verified.failure.unreachable) return 'unreachable'
    if (verified.ok && verified.value) {
      progress.remember(verified.value.id)
      return { account: verified.value }
    }
  } else {
    const account = await clients.currentUser()
    if (account?.id === usedBy) return { account }
  }
  progress.forget()
  return pricingToasts ? toPricing(pricingToasts.refused) : 'expired'
}

const toPricing = (toast: Toast) => ({ goTo: routes.pricing, toast, replace: true }) as const

/** Sets the password of a link's account, ends its session, and leads to the log-in. */
export async function setPassword(
  linkPurpose: LinkPurpose,
  account: Account,
  typed: TypedPassword,
  clients: LinkClients,
): Promise<Outcome<PasswordField>> {
  const { showsRefusal, resetsOnboarding, endsSessions, passwordSet, loginUrl } = purposes[linkPurpose]
  const problem = passwordProblem(typed)
  if (problem) return { problem }
  const set = await clients.setPassword(typed.password)
  if (!set.ok) return showsRefusal ? { problem: refusedPassword(set.failure) } : {}
  // It is false from the start in the database: a failure here changes nothing.
  if (resetsOnboarding) await clients.resetOnboarding(account.id)
  await clients.signOut(endsSessions)
  clients.progress.forget()
  return { goTo: loginUrl(account.email), toast: passwordSet, replace: true }
}

/**
 * Remembers, in this tab alone, that a one-time link was used and its password is not set yet. After a reload the
 * page goes on with the session that the link gave.
 */
export const linkProgress = (purpose: LinkPurpose) => {
  const key = storageKey(purpose)
  return {
    remember: (userId: string) => {
      tabStorage.write(key, userId)
      forgetLinkToken()
    },
    forget: () => {
      tabStorage.remove(key)
      forgetLinkToken()
    },
    /** Returns the id of the user whose link was used, or null. */
    userId: () => tabStorage.read(key),
  }
}
