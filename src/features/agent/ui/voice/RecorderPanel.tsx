import { useEffect, useId, useRef } from 'react'
import { useStore } from '@nanostores/react'
import {
  announcementAt,
  levelOf,
  levelText,
  textToRead,
  type Recording,
  type Take,
} from '#agent/domain/voice/recording.ts'
import { voiceSampleHintSeconds } from '#agent/domain/voice/voice-sample.ts'
import {
  $meter,
  $recording,
  cancelRecording,
  forgetTake,
  record,
  stopRecording,
} from '#agent/browser/voice/recorder.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { usePlayback } from './usePlayback.ts'
import { stack } from '#platform/domain/app-variants.ts'
import { button, progressBar } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

interface Props {
  /** Receives the recording that the customer wants to use. */
  onUse: (file: File) => void
  onClose: () => void
}

/** Records a voice sample: the text to read, a ring that fills in a minute, the level, and the take to listen to. */
export function RecorderPanel({ onUse, onClose }: Props) {
  const state = useStore($recording)
  const heading = useId()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.focus()
    // Without this part of the page nobody could stop the recording. What was recorded is kept.
    return () => {
      if ($recording.get().status === 'recording') stopRecording()
      else cancelRecording()
    }
  }, [])
  return (
    <section
      className="grid gap-4 rounded-strip border bg-panel px-6 pt-6 focus:outline-0"
      aria-labelledby={heading}
      ref={panel}
      tabIndex={-1}
      data-recorder
    >
      <h2 className="text-label text-ink-2 uppercase" id={heading}>
        Read this aloud
      </h2>
      <div className="grid gap-[0.6em] text-[1.25rem] leading-[1.45] tracking-[-0.01em]">
        {textToRead.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <div className="sticky bottom-0 -mx-6 grid grid-cols-[auto_1fr] items-center gap-4 border-t bg-panel px-6 py-4 max-md:gap-3 max-md:px-4">
        {state.status === 'ready' && state.take ? (
          <Review key={state.take.seconds} take={state.take} onUse={onUse} />
        ) : (
          <Controls state={state} onClose={onClose} />
        )}
      </div>
      <Problem>{state.status === 'ready' && state.problem}</Problem>
      <Announcement state={state} />
    </section>
  )
}

/** The button that records and stops stays the same element, so that it keeps the focus. */
function Controls({ state, onClose }: { state: Recording; onClose: () => void }) {
  const { seconds } = useStore($meter)
  const control = useRef<HTMLButtonElement>(null)
  const hasTake = state.take !== null
  useEffect(() => {
    // "Record again" has gone from the page.
    if (hasTake) control.current?.focus()
  }, [hasTake])
  const { status } = state
  const actions = {
    ready: { name: 'Record', press: () => void record() },
    requestingMicrophone: { name: 'Cancel', press: cancelRecording },
    recording: { name: 'Stop', press: stopRecording },
    converting: { name: 'Preparing...', press: () => undefined },
  } as const
  const { name, press } = actions[status]
  return (
    <>
      <Ring seconds={seconds} />
      <div className={stack}>
        {status === 'ready' && (
          <p className="text-sm text-ink-2">About a minute. You can listen to it before you use it.</p>
        )}
        {status === 'requestingMicrophone' && (
          <p className="text-sm">Your browser asks for the microphone. Allow it to record.</p>
        )}
        {status === 'recording' && <Level />}
        {status === 'converting' && (
          <p className="text-sm text-ink-2">One moment, your recording is being prepared.</p>
        )}
        <div className="flex flex-wrap gap-3">
          <button
            className={button()}
            type="button"
            ref={control}
            aria-disabled={status === 'converting'}
            onClick={press}
          >
            {name}
          </button>
          {status === 'ready' && (
            <button className={button({ kind: 'other' })} type="button" onClick={onClose}>
              Close
            </button>
          )}
        </div>
      </div>
    </>
  )
}

function Review({ take, onUse }: { take: Take; onUse: Props['onUse'] }) {
  const { player, toggle } = usePlayback(() => Promise.resolve(take.file))
  const listen = useRef<HTMLButtonElement>(null)
  useEffect(() => listen.current?.focus(), [])
  const isPlaying = player.status === 'playing'
  return (
    <>
      <button
        className="play"
        type="button"
        ref={listen}
        aria-label={isPlaying ? 'Pause your recording' : 'Listen to your recording'}
        onClick={toggle}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={isPlaying ? 'M4 3h4v14H4zM12 3h4v14h-4z' : 'M5 2.5 17.5 10 5 17.5z'} />
        </svg>
      </button>
      <div className={stack}>
        <p className="text-sm">
          {durationLabel(take.seconds)} recorded.
          {take.seconds < voiceSampleHintSeconds && ' A full minute gives a better voice.'}
        </p>
        <progress className={progressBar} max={take.seconds} value={player.at} aria-label="Played so far" />
        <Problem>
          {player.status === 'failed' &&
            'This browser cannot play the recording. You can still use it, or record again.'}
        </Problem>
        <div className="flex flex-wrap gap-3">
          <button
            className={button()}
            type="button"
            onClick={() => {
              forgetTake()
              onUse(take.file)
            }}
          >
            Use this recording
          </button>
          <button className={button({ kind: 'other' })} type="button" onClick={() => void record()}>
            Record again
          </button>
        </div>
      </div>
    </>
  )
}

/** The dots of the ring and of the level. */
const dot = ({ lit }: { lit: boolean }): string =>
  `fill-none stroke-3 [stroke-linecap:round] ${lit ? 'stroke-signal' : 'stroke-edge opacity-45'}`

const centre = 50
const radius = 45
/** The dots of the ring, clockwise from the top. One dot is a second. */
const dots = Array.from({ length: voiceSampleHintSeconds }, (_, second) => {
  const angle = (2 * Math.PI * second) / voiceSampleHintSeconds
  const [x, y] = [centre + radius * Math.sin(angle), centre - radius * Math.cos(angle)]
  return `M${x.toFixed(1)} ${y.toFixed(1)}h.01`
})

/** Shows the seconds recorded: one dot is a second, and a minute fills the ring. */
function Ring({ seconds }: { seconds: number }) {
  const whole = Math.floor(seconds)
  return (
    <div
      className="grid w-26 *:[grid-area:1/1]"
      role="progressbar"
      aria-label="Recorded"
      aria-valuemin={0}
      aria-valuemax={voiceSampleHintSeconds}
      aria-valuenow={Math.min(whole, voiceSampleHintSeconds)}
      aria-valuetext={`${whole} of ${voiceSampleHintSeconds} seconds`}
    >
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <path className={dot({ lit: false })} d={dots.join('')} />
        <path className={dot({ lit: true })} d={dots.slice(0, whole).join('')} />
      </svg>
      <span
        className="grid justify-items-center place-self-center text-[1.375rem] leading-[1.1] tabular-nums"
        aria-hidden="true"
      >
        {durationLabel(whole)}
        <small className="text-(length:--text-label) text-ink-2">
          of {durationLabel(voiceSampleHintSeconds)}
        </small>
      </span>
    </div>
  )
}

const levelDots = 16

/** Shows how loud the voice is, as dots and in words. */
function Level() {
  const { loudness, recent, seconds } = useStore($meter)
  const dotAt = (_: unknown, at: number): string => `M${4 + at * 8} 4h.01`
  const draw = (length: number): string => Array.from({ length }, dotAt).join('')
  return (
    <div className="grid gap-2">
      <svg
        className="block w-40 max-w-full motion-reduce:hidden [&>path]:[stroke-width:5]"
        viewBox={`0 0 ${levelDots * 8} 8`}
        aria-hidden="true"
      >
        <path className={dot({ lit: false })} d={draw(levelDots)} />
        <path className={dot({ lit: true })} d={draw(Math.round(levelOf(loudness) * levelDots))} />
      </svg>
      <p className="text-sm">{seconds < 1 ? 'Recording' : levelText(recent)}</p>
    </div>
  )
}

/** Tells a screen reader what the ring and the buttons show. */
function Announcement({ state }: { state: Recording }) {
  const { seconds } = useStore($meter)
  const whole = Math.floor(seconds)
  const text = {
    ready: state.take
      ? `${Math.round(state.take.seconds)} seconds recorded. Listen, use it, or record again.`
      : '',
    requestingMicrophone: 'Your browser asks for the microphone.',
    recording: whole < 2 ? 'Recording. Read the text aloud.' : announcementAt(whole),
    converting: 'Your recording is being prepared.',
  }[state.status]
  return (
    <p className="sr-only" role="status">
      {text}
    </p>
  )
}
