import type { Transition } from '#platform/domain/transition.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { voiceSampleHintSeconds } from './voice-sample.ts'

/** A finished recording. */
export interface Take {
  file: File
  seconds: number
}

/** A shorter recording is refused. */
export const minimumSeconds = 10
/** The recording stops by itself after so long. */
export const maximumSeconds = 120
/** The loudness below which a recording, or a second of it, counts as silence: about -54 dB. */
const silence = 0.002
/** The loudness above which speech is distorted. */
const overload = 0.4

/** A reason why there is no recording. */
export type Obstacle =
  'refused' | 'no-microphone' | 'microphone-in-use' | 'unsupported' | 'unreadable' | 'too-short' | 'silent'
/** A reason why a recording ended before Stop was pressed. */
type Interruption = 'unplugged' | 'hidden' | 'full'

/** Recording a voice sample in the browser. A take is kept until another one has succeeded or it is used. */
export type Recording =
  | { status: 'ready'; take: Take | null; problem: string | null }
  /** The browser asks for the microphone. */
  | { status: 'requestingMicrophone'; attempt: number; take: Take | null }
  | { status: 'recording'; attempt: number; take: Take | null }
  /** The recording is being converted. */
  | { status: 'converting'; attempt: number; take: Take | null; interruption: Interruption | null }

export type RecordingEvent =
  | { type: 'recordPressed'; attempt: number }
  | { type: 'started'; attempt: number }
  | { type: 'failed'; attempt: number; obstacle: Obstacle }
  | { type: 'stopPressed' }
  | { type: 'interrupted'; attempt: number; interruption: Interruption }
  | { type: 'converted'; attempt: number; take: Take; loudness: number }
  | { type: 'cancelPressed' }
  | { type: 'used' }

export type RecordingCommand =
  | { type: 'open'; attempt: number }
  /** Stops the recording and converts it. */
  | { type: 'stop'; attempt: number }
  /** Releases the microphone, and drops what was recorded. */
  | { type: 'drop' }

export const obstacleText: Record<Obstacle, string> = {
  refused:
    'The microphone is not allowed on this page. Allow it in your browser’s settings for this site, then press Record again, or choose a file.',
  'no-microphone': 'No microphone was found. Connect one and press Record again, or choose a file.',
  'microphone-in-use':
    'The microphone could not be opened. Another program may be using it: close that, then press Record again.',
  unsupported: 'This browser cannot record. Record with your phone’s own recorder, then choose that file.',
  unreadable: 'The recording could not be read. Please record again.',
  'too-short': `That was shorter than ${minimumSeconds} seconds. Read the whole text, which takes about a minute.`,
  silent: 'We heard nothing. Check that the microphone is not muted, come closer, and record again.',
}

const interruptionText: Record<Interruption, string> = {
  unplugged: 'The microphone was disconnected.',
  hidden: 'The recording stopped because this page was in the background.',
  full: `The recording stopped by itself after ${durationLabel(maximumSeconds)} minutes.`,
}
const kept = 'What was recorded until then is kept: listen to it, or record again.'

type RecordingTransition = Transition<Recording, RecordingCommand>

const to = (state: Recording, ...commands: RecordingCommand[]): RecordingTransition => ({ state, commands })
const ready = (take: Take | null, problem: string | null = null): Recording => ({
  status: 'ready',
  take,
  problem,
})

/** An event that a state does not expect changes nothing. */
export function transition(state: Recording, event: RecordingEvent): RecordingTransition {
  if ('attempt' in event && event.type !== 'recordPressed')
    if (state.status === 'ready' || state.attempt !== event.attempt) return to(state)
  const { take } = state
  switch (event.type) {
    case 'recordPressed':
      if (state.status !== 'ready') return to(state)
      return to(
        { status: 'requestingMicrophone', attempt: event.attempt, take },
        { type: 'open', attempt: event.attempt },
      )
    case 'started':
      return state.status === 'requestingMicrophone'
        ? to({ status: 'recording', attempt: event.attempt, take })
        : to(state, { type: 'drop' })
    case 'failed':
      return to(ready(take, cause(state) + obstacleText[event.obstacle]), { type: 'drop' })
    case 'stopPressed':
      return state.status === 'recording' ? stop(state, null) : to(state)
    case 'interrupted':
      return state.status === 'recording' ? stop(state, event.interruption) : to(state)
    case 'converted': {
      if (state.status !== 'converting') return to(state)
      const before = cause(state)
      if (event.take.seconds < minimumSeconds) return to(ready(take, before + obstacleText['too-short']))
      if (event.loudness < silence) return to(ready(take, before + obstacleText.silent))
      return to(ready(event.take, before ? before + kept : null))
    }
    case 'cancelPressed':
      return state.status === 'ready' ? to(state) : to(ready(take), { type: 'drop' })
    case 'used':
      return state.status === 'ready' ? to(ready(null)) : to(state)
  }
}

/** Returns the sentence that says why the recording ended before Stop was pressed; empty if it did not. */
const cause = (state: Recording): string =>
  state.status === 'converting' && state.interruption ? `${interruptionText[state.interruption]} ` : ''

const stop = (
  { attempt, take }: { attempt: number; take: Take | null },
  interruption: Interruption | null,
): RecordingTransition => to({ status: 'converting', attempt, take, interruption }, { type: 'stop', attempt })

/** Returns the obstacle that an error of `getUserMedia` stands for, by its name. */
export function obstacleOf(errorName: string): Obstacle {
  if (errorName === 'NotAllowedError' || errorName === 'SecurityError') return 'refused'
  if (errorName === 'NotFoundError' || errorName === 'OverconstrainedError') return 'no-microphone'
  return 'microphone-in-use'
}

/** Returns how far a meter reaches (0 to 1) for a loudness: from -54 dB to -6 dB. */
export const levelOf = (loud: number): number =>
  loud <= silence ? 0 : Math.min(1, Math.log(loud / silence) / Math.log(0.5 / silence))

/** Says in words what the meter shows. */
export const levelText = (loud: number): string =>
  loud < silence ? 'We hear nothing' : loud > overload ? 'Too loud: move back a little' : 'We hear you'

/** Returns what a screen reader says at this second of a recording; empty at most seconds. */
export function announcementAt(seconds: number): string {
  if (seconds === voiceSampleHintSeconds) return 'One minute is reached. Finish the text, then press Stop.'
  return seconds > 0 && seconds < voiceSampleHintSeconds && seconds % 20 === 0
    ? `${seconds} of ${voiceSampleHintSeconds} seconds`
    : ''
}

/** The text to read aloud: about a minute in a calm pace, for any trade. */
export const textToRead = [
  'Good morning, and thank you for calling. You have reached us at a good time: somebody is here, and I am glad to help. What can I do for you today?',
  'Shall I look for a free time this week? Thursday at half past nine would work, or Friday afternoon at a quarter to four. If you would rather speak to a colleague, I can put you through at once.',
  'May I have your name, please, and a number where we can reach you? Let me read that back: zero, one, two, three, four, five, six, seven, eight, nine. Thank you, that is noted.',
  'We are easy to find. Walk past the old bridge, turn left at the square, and look for the blue sign above the window. We are open every day, and we close at seven, except on Sundays.',
  'I am sorry that you had to wait, and I am happy that you asked. Is there anything else you would like to know? Then goodbye, take care, and see you soon.',
] as const
