import { useEffect, useRef, useState } from 'react'

interface Player {
  status: 'idle' | 'loading' | 'playing' | 'paused' | 'failed'
  /** The length in seconds, once known. */
  seconds: number | null
  /** The seconds played so far. */
  at: number
}

/**
 * Plays a recording that is fetched at the first press, as a blob, because a private file has no public URL. The status
 * is `failed` if it cannot be fetched or decoded.
 */
export function usePlayback(load: () => Promise<Blob | null>): { player: Player; toggle: () => void } {
  const [player, setPlayer] = useState<Player>({ status: 'idle', seconds: null, at: 0 })
  const audio = useRef<HTMLAudioElement | null>(null)
  const isGone = useRef(false)

  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      if (!audio.current) return
      audio.current.pause()
      URL.revokeObjectURL(audio.current.src)
      audio.current = null
    }
  }, [])

  const change = (part: Partial<Player>): void => setPlayer((before) => ({ ...before, ...part }))

  async function begin(): Promise<void> {
    change({ status: 'loading' })
    const blob = await load()
    if (isGone.current) return change({ status: 'idle' })
    if (!blob) return change({ status: 'failed' })
    const element = new Audio(URL.createObjectURL(blob))
    audio.current = element
    element.onloadedmetadata = () =>
      change({ seconds: Number.isFinite(element.duration) ? element.duration : null })
    element.ontimeupdate = () => change({ at: element.currentTime })
    element.onplay = () => change({ status: 'playing' })
    element.onpause = () => change({ status: 'paused' })
    element.onerror = () => {
      URL.revokeObjectURL(element.src)
      audio.current = null
      change({ status: 'failed' })
    }
    await play(element)
  }

  const play = async (element: HTMLAudioElement): Promise<void> => {
    try {
      await element.play()
    } catch {
      // Audio that cannot be decoded has an error event; a pause before the start is no failure.
      if (!element.error) change({ status: 'paused' })
    }
  }

  const toggle = (): void => {
    const element = audio.current
    if (!element) void begin()
    else if (element.paused) void play(element)
    else element.pause()
  }

  return { player, toggle }
}
