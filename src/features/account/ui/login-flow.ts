import {
  transition,
  type LoginCommand,
  type LoginEvent,
  type LoginField,
  type LoginState,
  type Person,
} from '#account/domain/login.ts'
import type { Toast } from '#platform/domain/toasts.ts'
import type { AuthResult } from '#account/browser/session.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

/** What logging in needs done; the island gives the real ones, a test gives its own. */
export interface LoginClients {
  findSession: () => Promise<Person | null>
  signIn: (email: string, password: string) => Promise<AuthResult<Person>>
  readOnboarding: (userId: string) => Promise<boolean | undefined>
  focus: (field: LoginField) => void
  raiseToast: (toast: Toast) => void
  replaceWith: (address: string) => void
}

export function createLoginFlow(clients: LoginClients): Flow<LoginState, LoginEvent> {
  const run = async (command: LoginCommand): Promise<LoginEvent | undefined> => {
    switch (command.type) {
      case 'findSession': {
        const person = await clients.findSession()
        return person ? { type: 'sessionFound', person } : undefined
      }
      case 'signIn': {
        const signedIn = await clients.signIn(command.email, command.password)
        return signedIn.ok
          ? { type: 'signedIn', person: signedIn.value }
          : { type: 'signInRefused', message: signedIn.failure.message }
      }
      case 'readOnboarding':
        return { type: 'onboardingRead', completed: await clients.readOnboarding(command.userId) }
      case 'focus':
        return void clients.focus(command.field)
      case 'raiseToast':
        return void clients.raiseToast(command.toast)
      case 'goTo':
        return void clients.replaceWith(command.address)
    }
  }
  return createFlow({ initial: { step: 'opening' } as LoginState, transition, run })
}
