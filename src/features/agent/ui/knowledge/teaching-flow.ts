import { createFlow, type Flow } from '#platform/browser/flow.ts'
import type { SaveOutcome } from '#agent/browser/knowledge.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import {
  openTeaching,
  transition,
  type StoredKnowledge,
  type TeachingCommand,
  type TeachingEvent,
  type TeachingState,
} from '#agent/domain/teaching.ts'

interface TeachingClients {
  save: (knowledge: AgentKnowledge, version: string | null) => Promise<SaveOutcome>
  /** Tells the voice provider what has been saved. */
  publish: () => Promise<void>
}

/** How long the customer pauses before a save, in milliseconds. */
const pause = 1_000

export type TeachingFlow = Flow<TeachingState, TeachingEvent>

export function createTeachingFlow(
  stored: StoredKnowledge,
  { save, publish }: TeachingClients,
): TeachingFlow {
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(command: TeachingCommand): Promise<TeachingEvent | undefined> {
    switch (command.type) {
      case 'waitForPause':
        clearTimeout(timer)
        timer = setTimeout(() => flow.send({ type: 'saveDue' }), pause)
        return undefined
      case 'save': {
        const outcome = await save(command.knowledge, command.version)
        if (outcome.kind === 'saved') return { type: 'saveSucceeded', version: outcome.version }
        return outcome.kind === 'failed'
          ? { type: 'saveFailed' }
          : { type: 'overtaken', theirs: outcome.theirs }
      }
      case 'publish':
        await publish()
        return undefined
    }
  }
  const flow = createFlow<TeachingState, TeachingEvent, TeachingCommand>({
    initial: openTeaching(stored),
    transition,
    run,
  })
  return flow
}
