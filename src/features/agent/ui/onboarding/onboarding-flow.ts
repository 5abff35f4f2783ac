import {
  transition,
  type OnboardingCommand,
  type OnboardingEvent,
  type OnboardingState,
} from '#agent/domain/onboarding.ts'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { Toast } from '#platform/domain/toasts.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import { createQueue } from '#platform/domain/queue.ts'

/** The clients that run the commands; a test passes its own. */
interface OnboardingClients {
  saveSettings: (userId: string, columns: Partial<AgentSettingsRow>) => Promise<boolean>
  /** Remembers the step that this tab has reached. */
  rememberStep: (userId: string, step: OnboardingState['step']) => void
  /** Remembers Finish Later, and opens the portal. */
  postpone: (userId: string) => void
  raiseToast: (toast: Toast) => void
}

export type OnboardingFlow = Flow<OnboardingState, OnboardingEvent>

/** Creates the wizard's flow: each command calls one client, each answer is one event. */
export function createOnboardingFlow(initial: OnboardingState, clients: OnboardingClients): OnboardingFlow {
  // Choices are written in their order, however fast they are made.
  const enqueue = createQueue()

  async function run(command: OnboardingCommand): Promise<OnboardingEvent | undefined> {
    switch (command.type) {
      case 'rememberStep':
        return void clients.rememberStep(command.userId, command.step)
      case 'saveTemplate': {
        const { userId, template } = command
        const isSaved = await enqueue(() => clients.saveSettings(userId, { industry_template: template }))
        return { type: isSaved ? 'templateSaved' : 'templateNotSaved', template }
      }
      case 'postpone':
        return void clients.postpone(command.userId)
      case 'raiseToast':
        return void clients.raiseToast(command.toast)
    }
  }
  return createFlow<OnboardingState, OnboardingEvent, OnboardingCommand>({ initial, transition, run })
}
