/** The browser's voice and ears, where it has them. */

interface Heard {
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>
}
interface Recognition extends EventTarget {
  lang: string
  interimResults: boolean
  start(): void
  abort(): void
  onresult: ((event: Heard) => void) | null
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

/** A browser without a voice accepts words and never begins; after so many milliseconds it is not waited for. */
const patience = 2_000

/** Ends what is being said. */
let interrupt = (): void => {}

/** Says it aloud; `done` is called once: when it ends, as soon as it is hushed, or where there is no voice. */
export function speak(text: string, done: () => void): void {
  if (!canSpeak()) return done()
  const words = new SpeechSynthesisUtterance(text)
  words.lang = 'en-US'
  const end = (): void => {
    clearTimeout(silent)
    words.onstart = words.onend = words.onerror = null
    interrupt = () => {}
    done()
  }
  const silent = setTimeout(stopSpeaking, patience)
  words.onstart = () => clearTimeout(silent)
  words.onend = words.onerror = end
  interrupt = end
  speechSynthesis.speak(words)
}

export function stopSpeaking(): void {
  if (!canSpeak()) return
  speechSynthesis.cancel()
  interrupt()
}

export interface Listening {
  stop: () => void
}

/** Why nothing was heard: the microphone was refused, nobody spoke, or the browser's service is out of reach. */
export type RecognitionFailure = 'refused' | 'silence' | 'unavailable'

const reasons: Record<string, RecognitionFailure> = {
  'not-allowed': 'refused',
  'service-not-allowed': 'refused',
  'audio-capture': 'refused',
  'no-speech': 'silence',
}

/** Listens for one sentence. Asks for the microphone, so it is called on a press and never by itself. */
export function listen(on: {
  interim: (text: string) => void
  heard: (text: string) => void
  failed: (why: RecognitionFailure) => void
  ended: () => void
}): Listening {
  const Recogniser = window.SpeechRecognition ?? window.webkitSpeechRecognition
  if (!Recogniser) {
    on.failed('unavailable')
    on.ended()
    return { stop: () => {} }
  }
  const ears = new Recogniser()
  ears.lang = 'en-US'
  ears.interimResults = true
  ears.onresult = ({ results }) => {
    const last = results[results.length - 1]
    const text = last?.[0]?.transcript ?? ''
    if (last?.isFinal) on.heard(text)
    else on.interim(text)
  }
  ears.onerror = ({ error }) => {
    if (error !== 'aborted') on.failed(reasons[error] ?? 'unavailable')
  }
  ears.onend = on.ended
  try {
    ears.start()
  } catch {
    on.failed('unavailable')
    on.ended()
  }
  return { stop: () => ears.abort() }
}
