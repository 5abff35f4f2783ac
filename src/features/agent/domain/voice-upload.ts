import type { VoiceSample } from './agent-settings.ts'
import {
  audioMimeTypes,
  sampleProblemText,
  samplePath,
  type AudioKind,
  type SampleVerdict,
} from './voice-sample.ts'

/** One voice sample on its way into the bucket and into the customer's settings, or out of both. */
export type VoiceUpload =
  | { status: 'none' }
  | { status: 'stored'; sample: VoiceSample; problem: string | null }
  | ({ status: 'uploading'; sent: number } & Attempt)
  /** In the bucket; the settings do not know it yet. */
  | ({ status: 'saving' } & Attempt)
  | { status: 'failed'; name: string; reason: string; retry: Attempt | null; previous: VoiceSample | null }
  | { status: 'removing'; sample: VoiceSample }

export interface Attempt {
  /** Which chosen file, and which try: answers of an earlier try are ignored. */
  attempt: number
  sample: VoiceSample
  kind: AudioKind
  /** What is in use until this one is; a failed or cancelled upload changes nothing. */
  previous: VoiceSample | null
}

export type VoiceUploadEvent =
  /** `now`: milliseconds since 1970, for the path. */
  | { type: 'fileJudged'; attempt: number; now: number; name: string; bytes: number; verdict: SampleVerdict }
  | { type: 'progressed'; attempt: number; sent: number }
  | { type: 'uploaded'; attempt: number; path: string }
  /** `path`: the bucket may hold it all the same, where only the answer was lost. */
  | { type: 'uploadFailed'; attempt: number; path: string; reason: string }
  | { type: 'saved'; attempt: number }
  | { type: 'saveFailed'; attempt: number }
  | { type: 'cancelPressed' }
  | { type: 'retryPressed'; attempt: number; now: number }
  | { type: 'removePressed' }
  | { type: 'removed' }
  | { type: 'removeFailed' }

export type VoiceUploadCommand =
  | { type: 'upload'; attempt: number; path: string; mimeType: string }
  | { type: 'abort'; attempt: number }
  | { type: 'save'; attempt: number; sample: VoiceSample }
  /** Takes a recording that nothing refers to out of the bucket; nobody waits for it. */
  | { type: 'discard'; path: string }
  /** Puts the settings back to what was in use, then discards what was to replace it: it may have been saved. */
  | { type: 'withdraw'; path: string; previous: VoiceSample | null }
  /** Takes the sample out of the settings. */
  | { type: 'clear' }
  | { type: 'tell'; sample: VoiceSample | null }

export interface VoiceUploadMove {
  state: VoiceUpload
  commands: readonly VoiceUploadCommand[]
}

const notSaved = 'The recording arrived, but we could not save it. Try again.'
const notRemoved = 'We could not remove the recording. Try again.'

const become = (state: VoiceUpload, ...commands: VoiceUploadCommand[]): VoiceUploadMove => ({
  state,
  commands,
})

export const storedOrNone = (sample: VoiceSample | null): VoiceUpload =>
  sample ? { status: 'stored', sample, problem: null } : { status: 'none' }

/** The sample that the agent uses now, whatever is under way. */
export function sampleInUse(state: VoiceUpload): VoiceSample | null {
  if (state.status === 'none') return null
  return state.status === 'stored' || state.status === 'removing' ? state.sample : state.previous
}

/** Whether something is under way that would be lost, or forgotten half-way, if the page were left now. */
export const isBusy = ({ status }: VoiceUpload): boolean =>
  status === 'uploading' || status === 'saving' || status === 'removing'

function start(attempt: Attempt): VoiceUploadMove {
  const { sample, kind } = attempt
  return become(
    { status: 'uploading', sent: 0, ...attempt },
    { type: 'upload', attempt: attempt.attempt, path: sample.path, mimeType: audioMimeTypes[kind] },
  )
}

/** What happens next to a voice sample of this customer. */
export function transition(userId: string, state: VoiceUpload, event: VoiceUploadEvent): VoiceUploadMove {
  if ('attempt' in event && event.type !== 'fileJudged' && event.type !== 'retryPressed')
    if (!('attempt' in state) || state.attempt !== event.attempt)
      // What was given up may have arrived.
      return 'path' in event ? become(state, discard(event.path)) : become(state)

  switch (event.type) {
    case 'fileJudged': {
      if (isBusy(state)) return become(state)
      const { attempt, now, name, bytes, verdict } = event
      const previous = sampleInUse(state)
      if (!verdict.ok)
        return become({
          status: 'failed',
          name,
          reason: sampleProblemText[verdict.problem],
          retry: null,
          previous,
        })
      const sample = { path: samplePath(userId, now, name, verdict.kind), name: name.slice(-255), bytes }
      return start({ attempt, sample, kind: verdict.kind, previous })
    }
    case 'progressed':
      return state.status === 'uploading' ? become({ ...state, sent: event.sent }) : become(state)
    case 'uploaded': {
      if (state.status !== 'uploading') return become(state)
      const { attempt, sample, kind, previous } = state
      return become({ status: 'saving', attempt, sample, kind, previous }, { type: 'save', attempt, sample })
    }
    case 'uploadFailed':
      return state.status === 'uploading' ? fail(state, event.reason, discard(event.path)) : become(state)
    case 'saved': {
      if (state.status !== 'saving') return become(state)
      const { sample, previous } = state
      const replaced = previous ? [discard(previous.path)] : []
      return become(storedOrNone(sample), { type: 'tell', sample }, ...replaced)
    }
    case 'saveFailed': {
      if (state.status !== 'saving') return become(state)
      const { sample, previous } = state
      return fail(state, notSaved, { type: 'withdraw', path: sample.path, previous })
    }
    case 'cancelPressed':
      if (state.status === 'uploading')
        return become(storedOrNone(state.previous), { type: 'abort', attempt: state.attempt })
      return state.status === 'failed' ? become(storedOrNone(state.previous)) : become(state)
    case 'retryPressed': {
      if (state.status !== 'failed' || !state.retry) return become(state)
      const { retry } = state
      const path = samplePath(userId, event.now, retry.sample.name, retry.kind)
      return start({ ...retry, attempt: event.attempt, sample: { ...retry.sample, path } })
    }
    case 'removePressed':
      return state.status === 'stored'
        ? become({ status: 'removing', sample: state.sample }, { type: 'clear' })
        : become(state)
    case 'removed':
      return state.status === 'removing'
        ? become({ status: 'none' }, { type: 'tell', sample: null }, discard(state.sample.path))
        : become(state)
    case 'removeFailed':
      return state.status === 'removing'
        ? become({ status: 'stored', sample: state.sample, problem: notRemoved })
        : become(state)
  }
}

const discard = (path: string): VoiceUploadCommand => ({ type: 'discard', path })

function fail(
  { attempt, sample, kind, previous }: Attempt,
  reason: string,
  ...commands: VoiceUploadCommand[]
): VoiceUploadMove {
  const retry = { attempt, sample, kind, previous }
  return become({ status: 'failed', name: sample.name, reason, retry, previous }, ...commands)
}
