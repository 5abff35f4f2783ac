import {
  transition,
  type PasswordChangeCommand,
  type PasswordChangeEvent,
  type PasswordChangeState,
} from '#account/domain/password-change.ts'
import type { PasswordField } from '#account/domain/passwords.ts'
import type { Toast } from '#platform/domain/toasts.ts'
import type { AuthResult } from '#account/browser/session.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'

export interface PasswordChangeClients {
  updatePassword: (password: string) => Promise<AuthResult>
  raiseToast: (toast: Toast) => void
  focus: (field: PasswordField) => void
  emptyFields: () => void
}

export function createPasswordFlow(
  clients: PasswordChangeClients,
): Flow<PasswordChangeState, PasswordChangeEvent> {
  const run = async (command: PasswordChangeCommand): Promise<PasswordChangeEvent | undefined> => {
    switch (command.type) {
      case 'setPassword': {
        const changed = await clients.updatePassword(command.password)
        return changed.ok ? { type: 'changed' } : { type: 'refused', message: changed.failure.message }
      }
      case 'raiseToast':
        return void clients.raiseToast(command.toast)
      case 'focus':
        return void clients.focus(command.field)
      case 'emptyFields':
        return void clients.emptyFields()
    }
  }
  return createFlow<PasswordChangeState, PasswordChangeEvent, PasswordChangeCommand>({
    initial: { step: 'editing' },
    transition,
    run,
  })
}
