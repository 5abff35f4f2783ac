import {
  transition,
  type ForgotPasswordCommand,
  type ForgotPasswordEvent,
  type ForgotPasswordState,
} from '#account/domain/forgot-password.ts'
import type { Result } from '#platform/domain/result.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

/** The clients that run the commands; a test passes its own. */
interface ForgotPasswordClients {
  requestLink: (email: string) => Promise<Result<unknown>>
  runCommon: (command: CommonCommand) => void
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
      default:
        return void clients.runCommon(command)
    }
  }
  return createFlow({ initial: { step: 'opening' } as ForgotPasswordState, transition, run })
}
