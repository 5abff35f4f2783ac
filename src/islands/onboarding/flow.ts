import {
  transition,
  type OnboardingCommand,
  type OnboardingEvent,
  type OnboardingState,
} from '#domain/onboarding.ts'
import type { AgentSettingsRow } from '#domain/agent-settings.ts'
import type { Toast } from '#domain/toasts.ts'
import { createFlow, type Flow } from '#stores/flow.ts'
import { createTurns } from '#stores/turns.ts'

/** What the wizard needs of the world. */
export interface OnboardingClients {
  raiseToast: (toast: Toast) => void
  raiseToastForNextPage: (toast: Toast) => void
  saveSettings: (userId: string, columns: Partial<AgentSettingsRow>) => Promise<boolean>
  complete: (userId: string) => Promise<boolean>
  noteCompleted: () => void
  memory: {
    rememberStep: (userId: string, step: OnboardingState['step']) => void
    forgetStep: (userId: string) => void
    postpone: (userId: string) => void
    forgetPostponed: () => void
  }
  goTo: (address: string) => void
}

export type OnboardingFlow = Flow<OnboardingState, OnboardingEvent>

const templateNotSaved: Toast = {
  title: 'Your choice was not saved',
  description: 'You can go on; choose it again when you are back online.',
  variant: 'destructive',
}

/** The wizard: each command is one client call, each answer one event. */
export function createOnboardingFlow(initial: OnboardingState, clients: OnboardingClients): OnboardingFlow {
  // The last choice is the last one to be written, however fast the choices came.
  const inTurn = createTurns()

  async function run(command: OnboardingCommand): Promise<OnboardingEvent | undefined> {
    switch (command.type) {
      case 'raiseToast':
        clients.raiseToast(command.toast)
        return undefined
      case 'raiseToastForNextPage':
        clients.raiseToastForNextPage(command.toast)
        return undefined
      case 'rememberStep':
        clients.memory.rememberStep(command.userId, command.step)
        return undefined
      case 'saveTemplate': {
        const { userId, template } = command
        const isSaved = await inTurn(() => clients.saveSettings(userId, { industry_template: template }))
        if (!isSaved) clients.raiseToast(templateNotSaved)
        return undefined
      }
      case 'complete': {
        if (!(await inTurn(() => clients.complete(command.userId)))) return { type: 'completionFailed' }
        clients.noteCompleted()
        clients.memory.forgetStep(command.userId)
        clients.memory.forgetPostponed()
        return { type: 'completed' }
      }
      case 'postpone':
        clients.memory.postpone(command.userId)
        return undefined
      case 'goTo':
        clients.goTo(command.address)
        return undefined
    }
  }
  return createFlow<OnboardingState, OnboardingEvent, OnboardingCommand>({ initial, transition, run })
}
