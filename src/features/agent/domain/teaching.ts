import type { Transition } from '#platform/domain/transition.ts'
import { canBeSaved, parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'

/** A stored document with its version; the version is null before the first save. */
export interface StoredKnowledge {
  knowledge: AgentKnowledge
  version: string | null
}

/**
 * What a customer teaches the agent, saved by itself. `waiting` means that it is saved as soon as the customer pauses,
 * `refused` that a text of it cannot be saved, `overtaken` that it was changed elsewhere meanwhile.
 */
export interface TeachingState {
  draft: AgentKnowledge
  /** The version that the draft is based on. */
  version: string | null
  status: 'saved' | 'waiting' | 'refused' | 'saving' | 'failed' | 'overtaken'
  /** What is being saved. */
  sent: AgentKnowledge | null
  /** What is stored, if it was changed elsewhere. */
  theirs: StoredKnowledge | null
}

export type TeachingEvent =
  | { type: 'edited'; draft: AgentKnowledge }
  /** The customer has paused, has left the page, or wants another try. */
  | { type: 'saveDue' }
  | { type: 'saveSucceeded'; version: string }
  | { type: 'saveFailed' }
  | { type: 'overtaken'; theirs: StoredKnowledge }
  | { type: 'mineChosen' }
  | { type: 'theirsChosen' }

export type TeachingCommand =
  /** Sends `saveDue` after a pause; each further edit begins the pause anew. */
  | { type: 'waitForPause' }
  | { type: 'save'; knowledge: AgentKnowledge; version: string | null }
  /** Tells the voice provider. */
  | { type: 'publish' }

export const openTeaching = ({ knowledge, version }: StoredKnowledge): TeachingState => ({
  draft: knowledge,
  version,
  status: 'saved',
  sent: null,
  theirs: null,
})

type Step = Transition<TeachingState, TeachingCommand>
const to = (state: TeachingState, ...commands: TeachingCommand[]): Step => ({ state, commands })

const save = (state: TeachingState): Step =>
  to(
    { ...state, status: 'saving', sent: state.draft, theirs: null },
    { type: 'save', knowledge: state.draft, version: state.version },
  )

/** Saves the draft after a pause, unless it cannot be saved as it is. */
const wait = (state: TeachingState): Step =>
  canBeSaved(state.draft)
    ? to({ ...state, status: 'waiting' }, { type: 'waitForPause' })
    : to({ ...state, status: 'refused' })

export function transition(state: TeachingState, event: TeachingEvent): Step {
  switch (event.type) {
    case 'edited': {
      const { draft } = event
      // A save that is under way ends first. A conflict waits for the customer's choice.
      return state.status === 'saving' || state.status === 'overtaken'
        ? to({ ...state, draft })
        : wait({ ...state, draft })
    }
    case 'saveDue':
      return state.status === 'waiting' || state.status === 'failed' ? save(state) : to(state)
    case 'saveSucceeded': {
      if (state.status !== 'saving') return to(state)
      const saved = { ...state, version: event.version, sent: null }
      return state.draft === state.sent ? to({ ...saved, status: 'saved' }, { type: 'publish' }) : wait(saved)
    }
    case 'saveFailed':
      if (state.status !== 'saving') return to(state)
      return canBeSaved(state.draft)
        ? to({ ...state, status: 'failed', sent: null })
        : wait({ ...state, sent: null })
    case 'overtaken': {
      if (state.status !== 'saving') return to(state)
      const { knowledge, version } = event.theirs
      // The answer to an earlier try was lost: what is stored is our own.
      if (sameKnowledge(knowledge, state.sent!))
        return transition(state, { type: 'saveSucceeded', version: version! })
      return to({ ...state, status: 'overtaken', sent: null, theirs: event.theirs })
    }
    case 'mineChosen':
      if (!state.theirs) return to(state)
      return canBeSaved(state.draft)
        ? save({ ...state, version: state.theirs.version })
        : wait({ ...state, version: state.theirs.version, theirs: null })
    case 'theirsChosen':
      return state.theirs ? to(openTeaching(state.theirs)) : to(state)
  }
}

/** The database stores keys in an order of its own; parsing brings both into the same. */
const sameKnowledge = (one: AgentKnowledge, other: AgentKnowledge): boolean =>
  JSON.stringify(parseKnowledge(one)) === JSON.stringify(parseKnowledge(other))
