/** Speech synthesis and speech recognition, if the browser supports them. */

interface RecognitionResult {
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>
}
interface Recognition extends EventTarget {
  lang: string
  interimResults: boolean
  start(): void
  abort(): void
  onresult: ((event: RecognitionResult) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
}
declare global {
  interface Window {
    SpeechRecognition?: new () => Recognition
    webkitSpeechRecognition?: new () => Recognition
  }
}

export const canSpeak = (): boolean => 'speechSynthesis' in window
export const canListen = (): boolean => Boolean(window.SpeechRecognition ?? window.webkitSpeechRecognition)

/** The time limit for the start of speech. A browser without a voice accepts an utterance but never starts it. */
const startTimeoutMs = 2_000

/** Ends the current utterance. */
let interrupt = (): void => {}

/** Speaks a text. Runs `done` once: when the speech ends or is stopped, or if there is no voice. */
export function speak(text: string, done: () => void): void {
  if (!canSpeak()) return done()
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.lang = 'en-US'
  const end = (): void => {
    clearTimeout(startTimer)
    utterance.onstart = utterance.onend = utterance.onerror = null
    interrupt = () => {}
    done()
  }
  const startTimer = setTimeout(stopSpeaking, startTimeoutMs)
  utterance.onstart = () => clearTimeout(startTimer)
  utterance.onend = utterance.onerror = end
  interrupt = end
  speechSynthesis.speak(utterance)
}

export function stopSpeaking(): void {
  if (!canSpeak()) return
  speechSynthesis.cancel()
  interrupt()
}

export interface Listening {
  stop: () => void
}

/** Why recognition failed: no permission for the microphone, no speech, or no connection to the browser's service. */
export type RecognitionFailure = 'refused' | 'silence' | 'unavailable'

const reasons: Record<string, RecognitionFailure> = {
  'not-allowed': 'refused',
  'service-not-allowed': 'refused',
  'audio-capture': 'refused',
  'no-speech': 'silence',
}

/**
 * Listens for one sentence. The browser may ask for permission, so this runs only after the visitor has pressed a
 * button.
 */
export function listen(on: {
  interim: (text: string) => void
  final: (text: string) => void
  failed: (why: RecognitionFailure) => void
  ended: () => void
}): Listening {
  const Recogniser = window.SpeechRecognition ?? window.webkitSpeechRecognition
  if (!Recogniser) {
    on.failed('unavailable')
    on.ended()
    return { stop: () => {} }
  }
  const recognition = new Recogniser()
  recognition.lang = 'en-US'
  recognition.interimResults = true
  recognition.onresult = ({ results }) => {
    const last = results[results.length - 1]
    const text = last?.[0]?.transcript ?? ''
    if (last?.isFinal) on.final(text)
    else on.interim(text)
  }
  recognition.onerror = ({ error }) => {
    if (error !== 'aborted') on.failed(reasons[error] ?? 'unavailable')
  }
  recognition.onend = on.ended
  try {
    recognition.start()
  } catch {
    on.failed('unavailable')
    on.ended()
  }
  return { stop: () => recognition.abort() }
}
