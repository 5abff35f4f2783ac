import { atom } from 'nanostores'
import {
  maximumSeconds,
  minimumSeconds,
  obstacleOf,
  transition,
  type Obstacle,
  type Recording,
  type RecordingCommand,
  type RecordingEvent,
} from '#agent/domain/voice/recording.ts'
import { loudness, recordedRate } from '#agent/domain/voice/wav.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'
import { decodeToMono, wavFile } from './convert-to-wav.ts'

/** The meter is read so often, in milliseconds. */
const meterIntervalMs = 100
/** The number of readings, two seconds, in which words of the meter take a pause in the speech for no silence. */
const recentReadings = 20

interface Meter {
  /** The seconds recorded so far. */
  seconds: number
  /** The loudness of the last moment, and the greatest of the last two seconds. */
  loudness: number
  recent: number
}
const atRest: Meter = { seconds: 0, loudness: 0, recent: 0 }
export const $meter = atom<Meter>(atRest)

interface Microphone {
  /** Ends the recording and returns it. */
  stop: () => Promise<Blob>
  /** Returns the seconds recorded so far. */
  elapsed: () => number
  release: () => void
}
let microphone: Microphone | undefined

function release(): void {
  microphone?.release()
  microphone = undefined
}

/** Starts to record a stream, with its meter, until it is stopped or interrupted. */
function record(stream: MediaStream, attempt: number): Microphone {
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: 128_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => void parts.push(data)
  // A recorder whose device is pulled out stops by itself.
  const ended = new Promise<Blob>((resolve) => {
    recorder.onstop = () => resolve(new Blob(parts, { type: recorder.mimeType }))
  })
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  // More than an interval of the meter, so that no sound falls between two readings.
  analyser.fftSize = 8192
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const readings: number[] = []
  const startedAt = performance.now()
  const elapsed = (): number => (performance.now() - startedAt) / 1000
  const interrupt = (interruption: 'unplugged' | 'hidden' | 'full'): void =>
    recorderFlow.send({ type: 'interrupted', attempt, interruption })
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const loud = loudness(samples)
    readings.push(loud)
    const seconds = elapsed()
    $meter.set({ seconds, loudness: loud, recent: Math.max(...readings.slice(-recentReadings)) })
    if (seconds >= maximumSeconds) interrupt('full')
  }, meterIntervalMs)
  const unplugged = (): void => interrupt('unplugged')
  const hidden = (): void => {
    if (document.hidden) interrupt('hidden')
  }
  const [track] = stream.getAudioTracks()
  track?.addEventListener('ended', unplugged)
  document.addEventListener('visibilitychange', hidden)
  recorder.start()
  return {
    stop() {
      if (recorder.state !== 'inactive') recorder.stop()
      return ended
    },
    elapsed,
    release() {
      clearInterval(timer)
      track?.removeEventListener('ended', unplugged)
      document.removeEventListener('visibilitychange', hidden)
      for (const track of stream.getTracks()) track.stop()
      void context.close()
      $meter.set(atRest)
    },
  }
}

async function open(attempt: number): Promise<RecordingEvent> {
  const failed = (obstacle: Obstacle): RecordingEvent => ({ type: 'failed', attempt, obstacle })
  // Browsers have no microphone for pages without HTTPS, and old ones have no recorder.
  if (!('mediaDevices' in navigator) || !('MediaRecorder' in window)) return failed('unsupported')
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      // A sample is to sound as the voice does; only its volume is adjusted.
      audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: true },
    })
    const state = recorderFlow.state.get()
    // The customer may have pressed Cancel meanwhile.
    if (state.status === 'requestingMicrophone' && state.attempt === attempt)
      microphone = record(stream, attempt)
    else for (const track of stream.getTracks()) track.stop()
    return { type: 'started', attempt }
  } catch (error) {
    return failed(obstacleOf((error as Error).name))
  }
}

async function stop(attempt: number): Promise<RecordingEvent | undefined> {
  const stopped = microphone
  if (!stopped) return undefined
  // A moment of sound may be less than a browser can decode.
  if (stopped.elapsed() < minimumSeconds) return { type: 'failed', attempt, obstacle: 'too-short' }
  const recorded = await stopped.stop()
  release()
  try {
    const samples = await decodeToMono(recorded)
    const file = wavFile(samples, `Recording ${new Date().toISOString().slice(0, 10)}.wav`)
    const take = { file, seconds: samples.length / recordedRate }
    return { type: 'converted', attempt, take, loudness: loudness(samples) }
  } catch {
    return { type: 'failed', attempt, obstacle: 'unreadable' }
  }
}

/** The page's recorder. There is one, as there is one microphone; a take outlives the part of the page that shows it. */
export const recorderFlow: Flow<Recording, RecordingEvent> = createFlow<
  Recording,
  RecordingEvent,
  RecordingCommand
>({
  initial: { status: 'ready', take: null, problem: null },
  transition,
  run(command) {
    switch (command.type) {
      case 'open':
        return open(command.attempt)
      case 'stop':
        return stop(command.attempt)
      case 'drop':
        release()
        return undefined
    }
  },
})

const isUnsaved = (state: Recording): boolean => state.take !== null || state.status === 'recording'
let wasUnsaved = false
recorderFlow.state.listen((state) => {
  if (isUnsaved(state) !== wasUnsaved) warnBeforeUnload((wasUnsaved = !wasUnsaved))
})
