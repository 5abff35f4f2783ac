import {
  transition,
  type PasswordChangeCommand,
  type PasswordChangeEvent,
  type PasswordChangeState,
} from '#account/domain/password-change.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import type { AuthResult } from '#account/browser/session.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

/** The clients that run the commands; a test passes its own. */
interface PasswordChangeClients {
  updatePassword: (password: string) => Promise<AuthResult>
  emptyFields: () => void
  runCommon: (command: CommonCommand) => void
}

export function createPasswordChangeFlow(
  clients: PasswordChangeClients,
): Flow<PasswordChangeState, PasswordChangeEvent> {
  const run = async (command: PasswordChangeCommand): Promise<PasswordChangeEvent | undefined> => {
    switch (command.type) {
      case 'setPassword': {
        const changed = await clients.updatePassword(command.password)
        return changed.ok ? { type: 'changed' } : { type: 'refused', ...changed.failure }
      }
      case 'emptyFields':
        return void clients.emptyFields()
      default:
        return void clients.runCommon(command)
    }
  }
  return createFlow<PasswordChangeState, PasswordChangeEvent, PasswordChangeCommand>({
    initial: { step: 'editing' },
    transition,
    run,
  })
}
