import { atom } from 'nanostores'
import { canBeSaved, parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { SaveOutcome, StoredKnowledge } from './knowledge.ts'

/**
 * What a customer teaches the agent, saved by itself. `waiting` means that it is saved as soon as the customer pauses,
 * `refused` that a text of it cannot be saved, `overtaken` that it was changed elsewhere meanwhile.
 */
export interface TeachingState {
  draft: AgentKnowledge
  /** The version that the draft is based on; null before the first save. */
  version: string | null
  status: 'saved' | 'waiting' | 'refused' | 'saving' | 'failed' | 'overtaken'
  /** What is stored, if it was changed elsewhere. */
  theirs: StoredKnowledge | null
}

interface TeachingClients {
  save: (knowledge: AgentKnowledge, version: string | null) => Promise<SaveOutcome>
  /** Tells the voice provider what has been saved. */
  publish: () => Promise<void>
}

/** How long the customer pauses before a save, in milliseconds. */
const pause = 1_000

const openedAt = ({ knowledge, version }: StoredKnowledge): TeachingState => ({
  draft: knowledge,
  version,
  status: 'saved',
  theirs: null,
})

export type Teaching = ReturnType<typeof createTeaching>

/** Edits what an agent knows, and saves each change after a pause. */
export function createTeaching(stored: StoredKnowledge, { save, publish }: TeachingClients) {
  const state = atom(openedAt(stored))
  const patch = (part: Partial<TeachingState>): void => state.set({ ...state.get(), ...part })
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Saves the draft after a pause, unless it cannot be saved as it is. */
  function saveSoon(): void {
    clearTimeout(timer)
    if (!canBeSaved(state.get().draft)) return patch({ status: 'refused' })
    patch({ status: 'waiting' })
    timer = setTimeout(() => void saveNow(), pause)
  }

  async function send(): Promise<void> {
    const { draft: sent, version } = state.get()
    patch({ status: 'saving', theirs: null })
    const outcome = await save(sent, version)
    const { draft } = state.get()
    if (outcome.kind === 'failed') {
      if (canBeSaved(draft)) patch({ status: 'failed' })
      else saveSoon()
      return
    }
    // The answer to an earlier try was lost: what is stored is our own.
    const isOwn = outcome.kind === 'overtaken' && sameKnowledge(outcome.theirs.knowledge, sent)
    if (outcome.kind === 'overtaken' && !isOwn) return patch({ status: 'overtaken', theirs: outcome.theirs })
    patch({ version: outcome.kind === 'saved' ? outcome.version : outcome.theirs.version })
    if (draft !== sent) return saveSoon()
    patch({ status: 'saved' })
    await publish()
  }

  /** Saves what waits: the customer has paused, has left the page, or wants another try. */
  async function saveNow(): Promise<void> {
    const { status } = state.get()
    if (status === 'waiting' || status === 'failed') await send()
  }

  return {
    state,
    saveNow,
    edit(draft: AgentKnowledge): void {
      const { status } = state.get()
      patch({ draft })
      // A save that is under way ends first. A conflict waits for the customer's choice.
      if (status !== 'saving' && status !== 'overtaken') saveSoon()
    },
    /** Ends a conflict with the draft, over what is stored. */
    async keepMine(): Promise<void> {
      const { theirs, draft } = state.get()
      if (!theirs) return
      patch({ version: theirs.version, theirs: null })
      if (canBeSaved(draft)) await send()
      else saveSoon()
    },
    /** Ends a conflict with what is stored. */
    takeTheirs(): void {
      const { theirs } = state.get()
      if (theirs) state.set(openedAt(theirs))
    },
  }
}

/** The database stores keys in an order of its own; parsing brings both into the same. */
const sameKnowledge = (one: AgentKnowledge, other: AgentKnowledge): boolean =>
  JSON.stringify(parseKnowledge(one)) === JSON.stringify(parseKnowledge(other))
