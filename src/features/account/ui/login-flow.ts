import {
  transition,
  type LoginCommand,
  type LoginEvent,
  type LoginState,
  type Person,
} from '#account/domain/login.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import type { AuthResult } from '#account/browser/session.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

/** The clients that run the commands; a test passes its own. */
export interface LoginClients {
  findSession: () => Promise<Person | null>
  signIn: (email: string, password: string) => Promise<AuthResult<Person>>
  readOnboarding: (userId: string) => Promise<boolean | undefined>
  runCommon: (command: CommonCommand) => void
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
          : { type: 'signInRefused', ...signedIn.failure }
      }
      case 'readOnboarding':
        return { type: 'onboardingRead', completed: await clients.readOnboarding(command.userId) }
      default:
        return void clients.runCommon(command)
    }
  }
  return createFlow({ initial: { step: 'opening' } as LoginState, transition, run })
}
