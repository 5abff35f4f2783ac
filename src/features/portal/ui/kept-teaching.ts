import { atom } from 'nanostores'
import { readKnowledge, saveKnowledge } from '#agent/browser/knowledge.ts'
import { businessNameField } from '#agent/browser/setting-fields.ts'
import type { Known } from '#agent/domain/knowledge/import.ts'
import type { StoredKnowledge } from '#agent/domain/teaching.ts'
import { createTeachingFlow, type TeachingFlow } from '#agent/ui/knowledge/teaching-flow.ts'
import { saveField, typeInto } from '#platform/browser/storage/typed-fields.ts'
import { noteUnsaved } from '#platform/browser/storage/unsaved.ts'
import { updateMyAgent } from '#telephony/browser/my-agent.ts'

/** Counts how often the voice provider was told what has been saved. */
export const $published = atom(0)

/** Names in this page what a customer's agent knows. */
export const knowledgeName = (userId: string): string => `${userId}:knowledge`

let kept: { userId: string; flow: TeachingFlow } | undefined

function openTeaching(userId: string, stored: StoredKnowledge): TeachingFlow {
  const flow = createTeachingFlow(stored, {
    save: (knowledge, version) => saveKnowledge(userId, knowledge, version),
    publish: async () => {
      await updateMyAgent()
      $published.set($published.get() + 1)
    },
  })
  flow.state.listen(({ status }) => {
    const isStuck = status === 'failed' || status === 'refused' || status === 'overtaken'
    const retry = status === 'failed' && { retry: () => flow.send({ type: 'saveDue' }) }
    noteUnsaved(
      knowledgeName(userId),
      status === 'saved' ? null : { label: 'What your agent knows', isStuck, ...retry },
    )
  })
  kept = { userId, flow }
  return flow
}

/**
 * Returns what this customer's agent knows, to be edited: what was edited and is not saved yet, which outlives its tab, else
 * what is stored; undefined without a readable answer.
 */
export async function openedTeaching(userId: string): Promise<TeachingFlow | undefined> {
  if (kept?.userId === userId && kept.flow.state.get().status !== 'saved') return kept.flow
  const stored = await readKnowledge(userId)
  return stored && openTeaching(userId, stored)
}

/** Takes imported entries over into what the agent knows, and the name of the business into its own field. */
export function takeOver(
  userId: string,
  flow: TeachingFlow,
  { business, knowledge }: Known,
  knownName: string | null,
): void {
  flow.send({ type: 'edited', draft: knowledge })
  if (business === knownName) return
  const field = businessNameField(userId)
  typeInto(field, knownName, business ?? '')
  void saveField(field.name)
}
