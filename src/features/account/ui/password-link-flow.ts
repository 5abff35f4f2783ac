import {
  transition,
  type Account,
  type LinkPurpose,
  type PasswordLinkCommand,
  type PasswordLinkEvent,
  type PasswordLinkState,
} from '#account/domain/password-link.ts'
import type { AuthResult } from '#account/browser/session.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

/** The clients that run the commands; a test passes its own. */
export interface PasswordLinkClients {
  verify: (token: string) => Promise<AuthResult<Account | null>>
  /** Finds the account whose link this tab has used, if it is still signed in. */
  findSession: () => Promise<Account | null>
  setPassword: (password: string) => Promise<AuthResult>
  resetOnboarding: (userId: string) => Promise<unknown>
  signOut: (scope: 'local' | 'global') => Promise<void>
  progress: { remember: (userId: string) => void; forget: () => void }
  runCommon: (command: CommonCommand) => void
}

export function createPasswordLinkFlow(
  purpose: LinkPurpose,
  clients: PasswordLinkClients,
): Flow<PasswordLinkState, PasswordLinkEvent> {
  const run = async (command: PasswordLinkCommand): Promise<PasswordLinkEvent | undefined> => {
    switch (command.type) {
      case 'verify': {
        const verified = await clients.verify(command.token)
        if (verified.ok) return { type: 'verified', account: verified.value }
        return { type: verified.failure.unreachable ? 'verificationUnreachable' : 'verificationRefused' }
      }
      case 'findSession': {
        const account = await clients.findSession()
        return account ? { type: 'sessionFound', account } : { type: 'sessionMissing' }
      }
      case 'setPassword': {
        const set = await clients.setPassword(command.password)
        return set.ok ? { type: 'passwordSet' } : { type: 'passwordRefused', ...set.failure }
      }
      case 'resetOnboarding':
        // It is false from the start in the database: a failure here changes nothing.
        await clients.resetOnboarding(command.userId)
        return { type: 'onboardingReset' }
      case 'signOut':
        await clients.signOut(command.scope)
        return { type: 'signedOut' }
      case 'rememberProgress':
        return void clients.progress.remember(command.userId)
      case 'forgetProgress':
        return void clients.progress.forget()
      default:
        return void clients.runCommon(command)
    }
  }
  return createFlow<PasswordLinkState, PasswordLinkEvent, PasswordLinkCommand>({
    initial: { step: 'opening' },
    transition: (state, event) => transition(purpose, state, event),
    run,
  })
}
