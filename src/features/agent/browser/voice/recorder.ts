import { atom } from 'nanostores'
import {
  endOf,
  maximumSeconds,
  minimumSeconds,
  obstacleOf,
  obstacleText,
  type Interruption,
  type Recorded,
  type Recording,
} from '#agent/domain/voice/recording.ts'
import { loudness, recordedRate } from '#agent/domain/voice/wav.ts'
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

/** The page's recorder. There is one, as there is one microphone; a take outlives the part of the page that shows it. */
export const $recording = atom<Recording>({ status: 'ready', take: null, problem: null })

/** Ends the recording in progress, which is kept. */
let stop = (): void => undefined
let attempt = new AbortController()

export const stopRecording = (): void => stop()

/** Gives up what is being recorded or prepared. The earlier take stays. */
export function cancelRecording(): void {
  const { status, take } = $recording.get()
  if (status === 'ready') return
  attempt.abort()
  $recording.set({ status: 'ready', take, problem: null })
}

/** Forgets the take, which is used now. */
export const forgetTake = (): void => $recording.set({ status: 'ready', take: null, problem: null })

/** Records until Stop is pressed, the recording is interrupted or cancelled. */
export async function record(): Promise<void> {
  const { status, take } = $recording.get()
  if (status !== 'ready') return
  const { signal } = (attempt = new AbortController())
  $recording.set({ status: 'requestingMicrophone', take })
  let listened: Listened
  try {
    const stream = await openMicrophone()
    if (signal.aborted) return release(stream)
    $recording.set({ status: 'recording', take })
    listened = await listen(stream, signal)
  } catch (error) {
    if (!signal.aborted)
      $recording.set({ status: 'ready', take, problem: obstacleText[obstacleOf((error as Error).name)] })
    return
  }
  if (signal.aborted) return
  $recording.set({ status: 'converting', take })
  const { sound, seconds, interruption } = listened
  // A moment of sound may be less than a browser can decode.
  const recorded = seconds < minimumSeconds ? 'too-short' : await prepared(await sound)
  if (!signal.aborted) $recording.set(endOf(take, recorded, interruption))
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** @throws DOMException whose name says why there is no microphone */
async function openMicrophone(): Promise<MediaStream> {
  // Browsers have no microphone for pages without HTTPS, and old ones have no recorder.
  if (!('mediaDevices' in navigator) || !('MediaRecorder' in window))
    throw new DOMException('', 'NotSupportedError')
  return navigator.mediaDevices.getUserMedia({
    // A sample is to sound as the voice does; only its volume is adjusted.
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: true },
  })
}

interface Listened {
  sound: Promise<Blob>
  seconds: number
  interruption: Interruption | null
}

/** Records a stream, with its meter, until Stop is pressed, or it is interrupted or cancelled. */
async function listen(stream: MediaStream, signal: AbortSignal): Promise<Listened> {
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: 128_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => void parts.push(data)
  // A recorder whose device is pulled out stops by itself.
  const sound = new Promise<Blob>((resolve) => {
    recorder.onstop = () => {
      release(stream)
      resolve(new Blob(parts, { type: recorder.mimeType }))
    }
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
  const over = new AbortController()
  const until = { signal: over.signal }
  const interruption = await new Promise<Interruption | null>((resolve) => {
    stop = () => resolve(null)
    signal.addEventListener('abort', stop)
    const [track] = stream.getAudioTracks()
    track?.addEventListener('ended', () => resolve('unplugged'), until)
    const hidden = (): void => {
      if (document.hidden) resolve('hidden')
    }
    document.addEventListener('visibilitychange', hidden, until)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const loud = loudness(samples)
      readings.push(loud)
      const seconds = elapsed()
      $meter.set({ seconds, loudness: loud, recent: Math.max(...readings.slice(-recentReadings)) })
      if (seconds >= maximumSeconds) resolve('full')
    }, meterIntervalMs)
    over.signal.addEventListener('abort', () => clearInterval(timer))
    recorder.start()
  })
  const seconds = elapsed()
  over.abort()
  if (recorder.state !== 'inactive') recorder.stop()
  void context.close()
  $meter.set(atRest)
  return { sound, seconds, interruption }
}

/** Returns a recording as a take, with its loudness. */
async function prepared(sound: Blob): Promise<Recorded> {
  try {
    const samples = await decodeToMono(sound)
    const file = wavFile(samples, `Recording ${new Date().toISOString().slice(0, 10)}.wav`)
    return { take: { file, seconds: samples.length / recordedRate }, loudness: loudness(samples) }
  } catch {
    return 'unreadable'
  }
}

let isWarning = false
$recording.listen(({ status, take }) => {
  const isUnsaved = take !== null || status === 'recording'
  if (isUnsaved !== isWarning) warnBeforeUnload((isWarning = isUnsaved))
})
