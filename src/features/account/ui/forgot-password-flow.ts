import {
  transition,
  type ForgotPasswordCommand,
  type ForgotPasswordEvent,
  type ForgotPasswordState,
} from '#account/domain/forgot-password.ts'
import type { Result } from '#platform/domain/result.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

export interface ForgotPasswordClients {
  requestLink: (email: string) => Promise<Result<unknown>>
  focusEmail: () => void
}

export function createForgotPasswordFlow(
  clients: ForgotPasswordClients,
): Flow<ForgotPasswordState, ForgotPasswordEvent> {
  const run = async (command: ForgotPasswordCommand): Promise<ForgotPasswordEvent | undefined> => {
    switch (command.type) {
      case 'requestLink': {
        const requested = await clients.requestLink(command.email)
        return requested.ok
          ? { type: 'linkRequested' }
          : { type: 'requestFailed', message: requested.failure.message }
      }
      case 'focusEmail':
        return void clients.focusEmail()
    }
  }
  return createFlow({ initial: { step: 'opening' } as ForgotPasswordState, transition, run })
}
