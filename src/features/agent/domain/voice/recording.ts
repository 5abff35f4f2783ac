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
export type Interruption = 'unplugged' | 'hidden' | 'full'

/** A take with its loudness, or the reason why there is none. */
export type Recorded = { take: Take; loudness: number } | Obstacle

/** Recording a voice sample in the browser. A take is kept until another one has succeeded or it is used. */
export type Recording =
  | { status: 'ready'; take: Take | null; problem: string | null }
  /** `requestingMicrophone`: the browser asks for it. */
  | { status: 'requestingMicrophone' | 'recording' | 'converting'; take: Take | null }

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

/**
 * Returns what a recording ends with: its take if that is long and loud enough, else the earlier one and the reason.
 * @param interruption why it ended before Stop was pressed; null if it did not
 */
export function endOf(
  earlier: Take | null,
  recorded: Recorded,
  interruption: Interruption | null,
): Extract<Recording, { status: 'ready' }> {
  const cause = interruption ? `${interruptionText[interruption]} ` : ''
  const failed = (obstacle: Obstacle) =>
    ({ status: 'ready', take: earlier, problem: cause + obstacleText[obstacle] }) as const
  if (typeof recorded === 'string') return failed(recorded)
  if (recorded.take.seconds < minimumSeconds) return failed('too-short')
  if (recorded.loudness < silence) return failed('silent')
  return { status: 'ready', take: recorded.take, problem: cause ? cause + kept : null }
}

/** Returns the obstacle that an error of `getUserMedia` stands for, by its name. */
export function obstacleOf(errorName: string): Obstacle {
  if (errorName === 'NotSupportedError') return 'unsupported'
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
