import {
  transition,
  type OnboardingCommand,
  type OnboardingEvent,
  type OnboardingState,
} from '#agent/domain/onboarding.ts'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import { createQueue } from '#platform/domain/queue.ts'

/** The clients that run the commands; a test passes its own. */
interface OnboardingClients {
  saveSettings: (userId: string, columns: Partial<AgentSettingsRow>) => Promise<boolean>
  complete: (userId: string) => Promise<boolean>
  noteCompleted: () => void
  /** Remembers the step that this tab has reached. */
  step: {
    remember: (userId: string, step: OnboardingState['step']) => void
    forget: (userId: string) => void
  }
  /** Remembers Finish Later. */
  postponed: { postpone: (userId: string) => void; forget: () => void }
  runCommon: (command: CommonCommand) => void
}

export type OnboardingFlow = Flow<OnboardingState, OnboardingEvent>

/** Creates the wizard's flow: each command calls one client, each answer is one event. */
export function createOnboardingFlow(initial: OnboardingState, clients: OnboardingClients): OnboardingFlow {
  // Choices are written in their order, however fast they are made.
  const enqueue = createQueue()

  async function run(command: OnboardingCommand): Promise<OnboardingEvent | undefined> {
    switch (command.type) {
      case 'rememberStep':
        return void clients.step.remember(command.userId, command.step)
      case 'saveTemplate': {
        const { userId, template } = command
        const isSaved = await enqueue(() => clients.saveSettings(userId, { industry_template: template }))
        return { type: isSaved ? 'templateSaved' : 'templateNotSaved', template }
      }
      case 'complete': {
        if (!(await enqueue(() => clients.complete(command.userId)))) return { type: 'completionFailed' }
        clients.noteCompleted()
        clients.step.forget(command.userId)
        clients.postponed.forget()
        return { type: 'completed' }
      }
      case 'postpone':
        return void clients.postponed.postpone(command.userId)
      default:
        return void clients.runCommon(command)
    }
  }
  return createFlow<OnboardingState, OnboardingEvent, OnboardingCommand>({ initial, transition, run })
}
