import { useEffect, useId, useRef, useState } from 'react'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { inputBox } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

const speeds = [0.75, 1, 1.25, 1.5, 2] as const

interface Player {
  status: 'idle' | 'loading' | 'playing' | 'paused' | 'failed'
  /** The position and the length, in seconds; the length is null until it is known. */
  at: number
  seconds: number | null
}
const idle: Player = { status: 'idle', at: 0, seconds: null }

interface Props {
  /** Names the call. */
  about: string
  /** Returns a URL that opens for a while. */
  load: () => Promise<string | undefined>
}

/** The recording of a call. It is loaded at the first press. */
export function CallRecording({ about, load }: Props) {
  const [player, setPlayer] = useState(idle)
  const [speed, setSpeed] = useState(1)
  const audio = useRef<HTMLAudioElement | null>(null)
  const isGone = useRef(false)
  const ids = { at: useId(), speed: useId() }
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      audio.current?.pause()
      audio.current = null
    }
  }, [])

  const change = (part: Partial<Player>): void => setPlayer((before) => ({ ...before, ...part }))

  async function begin(): Promise<void> {
    change({ status: 'loading' })
    const url = await load()
    if (isGone.current) return
    if (!url) return change({ status: 'failed' })
    const element = new Audio(url)
    audio.current = element
    element.playbackRate = speed
    element.onloadedmetadata = () =>
      change({ seconds: Number.isFinite(element.duration) ? element.duration : null })
    element.ontimeupdate = () => change({ at: element.currentTime })
    element.onplay = () => change({ status: 'playing' })
    element.onpause = () => change({ status: 'paused' })
    element.onerror = () => {
      // The URL may have expired: the next press loads it anew.
      audio.current = null
      setPlayer({ ...idle, status: 'failed' })
    }
    await play(element)
  }
  // Audio that cannot be decoded has an error event; a pause before the start is no failure.
  const play = (element: HTMLAudioElement): Promise<void> =>
    element.play().catch(() => {
      if (!element.error) change({ status: 'paused' })
    })

  const toggle = (): void => {
    const element = audio.current
    if (player.status === 'loading') return
    if (!element) void begin()
    else if (element.paused) void play(element)
    else element.pause()
  }

  const { status, at, seconds } = player
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-2"
      role="group"
      aria-label={`Recording: ${about}`}
    >
      <button
        className={button({ kind: 'other', size: 'small' })}
        type="button"
        aria-disabled={status === 'loading'}
        onClick={toggle}
      >
        {status === 'loading' ? 'Loading...' : status === 'playing' ? 'Pause' : 'Listen'}
      </button>
      {seconds !== null && (
        <>
          <label className="sr-only" htmlFor={ids.at}>
            Position
          </label>
          <input
            className="min-h-target min-w-0 flex-[1_1_10rem] accent-signal-text max-md:basis-full"
            id={ids.at}
            type="range"
            min={0}
            max={seconds}
            step={0.1}
            value={at}
            aria-valuetext={`${durationLabel(at)} of ${durationLabel(seconds)}`}
            onChange={({ target }) => {
              change({ at: Number(target.value) })
              if (audio.current) audio.current.currentTime = Number(target.value)
            }}
          />
          <span className="text-sm text-ink-2 tabular-nums">
            {durationLabel(at)} / {durationLabel(seconds)}
          </span>
          <label className="text-sm" htmlFor={ids.speed}>
            Speed
          </label>
          <select
            className={inputBox({ kind: 'choice', class: 'w-auto!' })}
            id={ids.speed}
            value={speed}
            onChange={({ target }) => {
              setSpeed(Number(target.value))
              if (audio.current) audio.current.playbackRate = Number(target.value)
            }}
          >
            {speeds.map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </>
      )}
      <Problem>
        {status === 'failed' && 'We could not load this recording. Check your connection, then try again.'}
      </Problem>
    </div>
  )
}
