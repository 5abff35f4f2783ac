import type { PasswordField } from '#account/domain/passwords.ts'
import {
  transition,
  type Account,
  type SignupCommand,
  type SignupEvent,
  type SignupState,
} from '#account/domain/signup.ts'
import type { Toast } from '#platform/domain/toasts.ts'
import type { AuthResult } from '#account/browser/session.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

/** What signup needs done; the island gives the real ones, a test gives its own. */
export interface SignupClients {
  verify: (token: string) => Promise<AuthResult<Account | null>>
  /** The account whose link this tab has used, if it is still signed in. */
  findSession: () => Promise<Account | null>
  setPassword: (password: string) => Promise<AuthResult>
  resetOnboarding: (userId: string) => Promise<unknown>
  signOut: () => Promise<void>
  hideToken: () => void
  rememberProgress: (userId: string) => void
  forgetProgress: () => void
  focus: (field: PasswordField) => void
  raiseToast: (toast: Toast) => void
  raiseToastForNextPage: (toast: Toast) => void
  replaceWith: (address: string) => void
}

export function createSignupFlow(clients: SignupClients): Flow<SignupState, SignupEvent> {
  const run = async (command: SignupCommand): Promise<SignupEvent | undefined> => {
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
      case 'setPassword':
        return { type: (await clients.setPassword(command.password)).ok ? 'passwordSet' : 'passwordRefused' }
      case 'resetOnboarding':
        // It is false from the start in the database: a failure here changes nothing.
        await clients.resetOnboarding(command.userId)
        return { type: 'onboardingReset' }
      case 'signOut':
        await clients.signOut()
        return { type: 'signedOut' }
      case 'hideToken':
        return void clients.hideToken()
      case 'rememberProgress':
        return void clients.rememberProgress(command.account.id)
      case 'forgetProgress':
        return void clients.forgetProgress()
      case 'focus':
        return void clients.focus(command.field)
      case 'raiseToast':
        return void clients.raiseToast(command.toast)
      case 'raiseToastForNextPage':
        return void clients.raiseToastForNextPage(command.toast)
      case 'goTo':
        return void clients.replaceWith(command.address)
    }
  }
  return createFlow({ initial: { step: 'opening' } as SignupState, transition, run })
}
