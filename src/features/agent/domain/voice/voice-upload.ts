import type { VoiceSample } from '#agent/domain/agent-settings.ts'
import {
  audioMimeTypes,
  sampleProblemText,
  samplePath,
  type AudioKind,
  type ConversionProblem,
  type SampleCheck,
} from './voice-sample.ts'
import type { Transition } from '#platform/domain/transition.ts'

/**
 * The upload of a voice sample to the bucket and its entry in the customer's settings, or its removal from both. Nothing is
 * uploaded before the customer has agreed that the speaker consents.
 */
export type VoiceUpload =
  | { status: 'none' }
  | { status: 'stored'; sample: VoiceSample; problem: string | null }
  /** The customer has not agreed yet. */
  | ({ status: 'unconfirmed' } & Chosen)
  /** The file is being converted to WAV. */
  | ({ status: 'converting' } & Chosen)
  | ({ status: 'uploading'; sent: number } & Attempt)
  /** In the bucket, but not in the settings yet. */
  | ({ status: 'saving' } & Attempt)
  | { status: 'failed'; name: string; reason: string; retry: Attempt | null; previous: VoiceSample | null }
  | { status: 'removing'; sample: VoiceSample }

/** A file that is not being uploaded yet. */
interface Chosen {
  attempt: number
  name: string
  bytes: number
  /** Null if the file has to be converted. */
  kind: AudioKind | null
  previous: VoiceSample | null
}

interface Attempt {
  /** The number of this attempt; answers to earlier attempts are ignored. */
  attempt: number
  sample: VoiceSample
  kind: AudioKind
  /** The sample in use until this one is saved; a failed or cancelled upload leaves it in use. */
  previous: VoiceSample | null
}

export type VoiceUploadEvent =
  /** `now`: milliseconds since 1970, for the path. */
  | {
      type: 'fileChecked'
      attempt: number
      now: number
      name: string
      bytes: number
      check: SampleCheck
      /** Whether the customer has agreed already. */
      isAgreed: boolean
    }
  | { type: 'agreed'; now: number }
  | { type: 'converted'; attempt: number; now: number; bytes: number }
  | { type: 'conversionFailed'; attempt: number; problem: ConversionProblem }
  | { type: 'progressed'; attempt: number; sent: number }
  | { type: 'uploaded'; attempt: number; path: string }
  /** `path`: the file may be in the bucket nevertheless, if only the answer was lost. */
  | { type: 'uploadFailed'; attempt: number; path: string; reason: string }
  | { type: 'saved'; attempt: number }
  | { type: 'saveFailed'; attempt: number }
  | { type: 'cancelPressed' }
  | { type: 'retryPressed'; attempt: number; now: number }
  | { type: 'removePressed' }
  | { type: 'removed' }
  | { type: 'removeFailed' }

export type VoiceUploadCommand =
  | { type: 'convert'; attempt: number }
  | { type: 'upload'; attempt: number; path: string; mimeType: string }
  | { type: 'abort'; attempt: number }
  | { type: 'save'; attempt: number; sample: VoiceSample }
  /** Deletes a recording that is no longer used from the bucket; nothing waits for it. */
  | { type: 'discard'; path: string }
  /** Restores the sample in use in the settings, then deletes the new recording: it may have been saved. */
  | { type: 'rollBack'; path: string; previous: VoiceSample | null }
  /** Removes the sample from the settings. */
  | { type: 'clear' }
  /** Reports the sample that is now in use. */
  | { type: 'reportSample'; sample: VoiceSample | null }

type VoiceUploadTransition = Transition<VoiceUpload, VoiceUploadCommand>

const notSaved = 'The recording arrived, but we could not save it. Try again.'
const notRemoved = 'We could not remove the recording. Try again.'

const to = (state: VoiceUpload, ...commands: VoiceUploadCommand[]): VoiceUploadTransition => ({
  state,
  commands,
})

export const uploadOf = (sample: VoiceSample | null): VoiceUpload =>
  sample ? { status: 'stored', sample, problem: null } : { status: 'none' }

/** Returns the sample that the agent uses now, also during an upload. */
export function sampleInUse(state: VoiceUpload): VoiceSample | null {
  if (state.status === 'none') return null
  return state.status === 'stored' || state.status === 'removing' ? state.sample : state.previous
}

/** Returns whether an upload or a removal is in progress. */
export const isBusy = ({ status }: VoiceUpload): boolean =>
  status === 'converting' || status === 'uploading' || status === 'saving' || status === 'removing'

/** Returns whether something would be lost if the page were left now. */
export const isUnsaved = (state: VoiceUpload): boolean => isBusy(state) || state.status === 'unconfirmed'

/** Uploads a file to which the customer has agreed, after its conversion if it needs one. */
function begin(
  userId: string,
  { attempt, name, bytes, kind, previous }: Chosen,
  now: number,
): VoiceUploadTransition {
  if (!kind)
    return to({ status: 'converting', attempt, name, bytes, kind, previous }, { type: 'convert', attempt })
  return start({
    attempt,
    sample: { path: samplePath(userId, now, name, kind), name, bytes },
    kind,
    previous,
  })
}

function start(attempt: Attempt): VoiceUploadTransition {
  const { sample, kind } = attempt
  return to(
    { status: 'uploading', sent: 0, ...attempt },
    { type: 'upload', attempt: attempt.attempt, path: sample.path, mimeType: audioMimeTypes[kind] },
  )
}

/** An event that a state does not expect changes nothing. */
export function transition(
  userId: string,
  state: VoiceUpload,
  event: VoiceUploadEvent,
): VoiceUploadTransition {
  if (event.type === 'fileChecked') return isBusy(state) ? to(state) : choose(userId, state, event)
  const isAnswer = 'attempt' in event && event.type !== 'retryPressed'
  if (isAnswer && !('attempt' in state && state.attempt === event.attempt))
    // The file of an attempt that was given up may have arrived.
    return 'path' in event ? to(state, discard(event.path)) : to(state)
  return next(userId, state, event) ?? to(state)
}

/** Returns what an event makes of a state; undefined if the state does not expect it. */
function next(
  userId: string,
  state: VoiceUpload,
  event: VoiceUploadEvent,
): VoiceUploadTransition | undefined {
  switch (state.status) {
    case 'none':
      return undefined
    case 'stored':
      if (event.type !== 'removePressed') return undefined
      return to({ status: 'removing', sample: state.sample }, { type: 'clear' })
    case 'unconfirmed':
      if (event.type === 'agreed') return begin(userId, state, event.now)
      return event.type === 'cancelPressed' ? to(uploadOf(state.previous)) : undefined
    case 'converting':
      return whenConverting(userId, state, event)
    case 'uploading':
      return whenUploading(state, event)
    case 'saving':
      return whenSaving(state, event)
    case 'failed':
      return whenFailed(userId, state, event)
    case 'removing':
      return whenRemoving(state.sample, event)
  }
}

type In<Status extends VoiceUpload['status']> = Extract<VoiceUpload, { status: Status }>
type Event<Type extends VoiceUploadEvent['type']> = Extract<VoiceUploadEvent, { type: Type }>

function choose(userId: string, state: VoiceUpload, event: Event<'fileChecked'>): VoiceUploadTransition {
  const { attempt, now, name, bytes, check, isAgreed } = event
  const previous = sampleInUse(state)
  if (!check.ok)
    return to({ status: 'failed', name, reason: sampleProblemText[check.problem], retry: null, previous })
  const chosen = { attempt, name: name.slice(-255), bytes, kind: check.kind, previous }
  return isAgreed ? begin(userId, chosen, now) : to({ status: 'unconfirmed', ...chosen })
}

function whenConverting(userId: string, state: In<'converting'>, event: VoiceUploadEvent) {
  const { name, previous } = state
  if (event.type === 'converted')
    return begin(userId, { ...state, kind: 'wav', bytes: event.bytes }, event.now)
  if (event.type === 'conversionFailed')
    return to({ status: 'failed', name, reason: sampleProblemText[event.problem], retry: null, previous })
  return event.type === 'cancelPressed' ? to(uploadOf(previous)) : undefined
}

function whenUploading(state: In<'uploading'>, event: VoiceUploadEvent) {
  const { attempt, sample, kind, previous } = state
  switch (event.type) {
    case 'progressed':
      return to({ ...state, sent: event.sent })
    case 'uploaded':
      return to({ status: 'saving', attempt, sample, kind, previous }, { type: 'save', attempt, sample })
    case 'uploadFailed':
      return fail(state, event.reason, discard(event.path))
    case 'cancelPressed':
      return to(uploadOf(previous), { type: 'abort', attempt })
    default:
      return undefined
  }
}

function whenSaving(state: In<'saving'>, event: VoiceUploadEvent) {
  const { sample, previous } = state
  if (event.type === 'saved')
    return to(
      uploadOf(sample),
      { type: 'reportSample', sample },
      ...(previous ? [discard(previous.path)] : []),
    )
  return event.type === 'saveFailed'
    ? fail(state, notSaved, { type: 'rollBack', path: sample.path, previous })
    : undefined
}

function whenFailed(userId: string, { retry, previous }: In<'failed'>, event: VoiceUploadEvent) {
  if (event.type === 'cancelPressed') return to(uploadOf(previous))
  if (event.type !== 'retryPressed' || !retry) return undefined
  const path = samplePath(userId, event.now, retry.sample.name, retry.kind)
  return start({ ...retry, attempt: event.attempt, sample: { ...retry.sample, path } })
}

function whenRemoving(sample: VoiceSample, event: VoiceUploadEvent) {
  if (event.type === 'removed')
    return to({ status: 'none' }, { type: 'reportSample', sample: null }, discard(sample.path))
  return event.type === 'removeFailed' ? to({ status: 'stored', sample, problem: notRemoved }) : undefined
}

const discard = (path: string): VoiceUploadCommand => ({ type: 'discard', path })

function fail(
  { attempt, sample, kind, previous }: Attempt,
  reason: string,
  ...commands: VoiceUploadCommand[]
): VoiceUploadTransition {
  const retry = { attempt, sample, kind, previous }
  return to({ status: 'failed', name: sample.name, reason, retry, previous }, ...commands)
}
