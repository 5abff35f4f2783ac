import { atom } from 'nanostores'
import { readKnowledge, saveKnowledge, type StoredKnowledge } from '#agent/browser/knowledge.ts'
import { businessNameField } from '#agent/browser/setting-fields.ts'
import type { Known } from '#agent/domain/knowledge/import.ts'
import { createTeaching, type Teaching } from '#agent/browser/teaching.ts'
import { saveField, typeInto } from '#platform/browser/storage/typed-fields.ts'
import { noteUnsaved } from '#platform/browser/storage/unsaved.ts'
import { updateMyAgent } from '#telephony/browser/my-agent.ts'

/** Counts how often the voice provider was told what has been saved. */
export const $published = atom(0)

/** Names in this page what a customer's agent knows. */
export const knowledgeName = (userId: string): string => `${userId}:knowledge`

let kept: { userId: string; teaching: Teaching } | undefined

function openTeaching(userId: string, stored: StoredKnowledge): Teaching {
  const teaching = createTeaching(stored, {
    save: (knowledge, version) => saveKnowledge(userId, knowledge, version),
    publish: async () => {
      await updateMyAgent()
      $published.set($published.get() + 1)
    },
  })
  teaching.state.listen(({ status }) => {
    const isStuck = status === 'failed' || status === 'refused' || status === 'overtaken'
    const retry = status === 'failed' && { retry: () => void teaching.saveNow() }
    noteUnsaved(
      knowledgeName(userId),
      status === 'saved' ? null : { label: 'What your agent knows', isStuck, ...retry },
    )
  })
  kept = { userId, teaching }
  return teaching
}

/**
 * Returns what this customer's agent knows, to be edited: what was edited and is not saved yet, which outlives its tab, else
 * what is stored; undefined without a readable answer.
 */
export async function openedTeaching(userId: string): Promise<Teaching | undefined> {
  if (kept?.userId === userId && kept.teaching.state.get().status !== 'saved') return kept.teaching
  const stored = await readKnowledge(userId)
  return stored && openTeaching(userId, stored)
}

/** Takes imported entries over into what the agent knows, and the name of the business into its own field. */
export function takeOver(
  userId: string,
  teaching: Teaching,
  { business, knowledge }: Known,
  knownName: string | null,
): void {
  teaching.edit(knowledge)
  if (business === knownName) return
  const field = businessNameField(userId)
  typeInto(field, knownName, business ?? '')
  void saveField(field.name)
}
