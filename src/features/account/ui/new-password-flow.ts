import {
  transition,
  type NewPasswordCommand,
  type NewPasswordEvent,
  type NewPasswordState,
} from '#account/domain/new-password.ts'
import type { PasswordField } from '#account/domain/passwords.ts'
import type { Toast } from '#platform/domain/toasts.ts'
import type { AuthResult } from '#account/browser/session.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

interface Account {
  id: string
  email: string
}

/** What a new password needs done; the island gives the real ones, a test gives its own. */
export interface NewPasswordClients {
  verify: (token: string) => Promise<AuthResult<Account | null>>
  findSession: () => Promise<Account | null>
  setPassword: (password: string) => Promise<AuthResult>
  signOutEverywhere: () => Promise<void>
  hideToken: () => void
  rememberProgress: (userId: string) => void
  forgetProgress: () => void
  focus: (field: PasswordField) => void
  raiseToast: (toast: Toast) => void
  raiseToastForNextPage: (toast: Toast) => void
  replaceWith: (address: string) => void
}

export function createNewPasswordFlow(clients: NewPasswordClients): Flow<NewPasswordState, NewPasswordEvent> {
  const run = async (command: NewPasswordCommand): Promise<NewPasswordEvent | undefined> => {
    switch (command.type) {
      case 'verify': {
        const verified = await clients.verify(command.token)
        if (verified.ok) {
          return verified.value
            ? { type: 'verified', account: verified.value }
            : { type: 'verificationRefused' }
        }
        return { type: verified.failure.unreachable ? 'verificationUnreachable' : 'verificationRefused' }
      }
      case 'findSession': {
        const account = await clients.findSession()
        return account ? { type: 'sessionFound', account } : { type: 'sessionMissing' }
      }
      case 'setPassword': {
        const set = await clients.setPassword(command.password)
        return set.ok ? { type: 'passwordSet' } : { type: 'passwordRefused', message: set.failure.message }
      }
      case 'signOutEverywhere':
        await clients.signOutEverywhere()
        return { type: 'signedOut' }
      case 'hideToken':
        return void clients.hideToken()
      case 'rememberProgress':
        return void clients.rememberProgress(command.userId)
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
  return createFlow({ initial: { step: 'opening' } as NewPasswordState, transition, run })
}
