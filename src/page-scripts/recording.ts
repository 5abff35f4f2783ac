import { durationLabel } from '#platform/domain/text/duration.ts'

/** The number of dot columns in a recording's wave. */
const columns = 50
/** The recording that is playing; only one plays at a time. */
let playing: HTMLAudioElement | undefined

for (const recording of document.querySelectorAll<HTMLElement>('[data-recording]')) attach(recording)

/**
 * Replaces the link to a sound file by a button that fetches and plays the file and shows the progress. Links elsewhere on
 * the page to the same file, with `data-hear`, press it.
 */
function attach(recording: HTMLElement): void {
  const link = recording.querySelector('a')!
  const position = recording.querySelector('[data-position]')!
  const status = recording.querySelector('[role=status]')!
  const name = link.getAttribute('aria-label')!
  const button = document.createElement('button')
  button.type = 'button'
  button.className = link.className
  button.setAttribute('aria-label', name)
  button.append(...link.childNodes)
  link.replaceWith(button)

  let audio: HTMLAudioElement | undefined

  /** Marks the recording as playing or paused; style sheets do the rest. */
  const setPlaying = (isOn: boolean): void => {
    recording.toggleAttribute('data-playing', isOn)
    button.setAttribute('aria-label', isOn ? name.replace('Play', 'Pause') : name)
  }

  const createAudio = (): HTMLAudioElement => {
    const sound = new Audio(link.href)
    const draw = (): void => {
      const { currentTime, duration, ended, paused } = sound
      const played = ended ? 0 : currentTime
      recording.style.setProperty('--played', `${Math.ceil((played / duration) * columns || 0) / columns}`)
      position.textContent = played ? `${durationLabel(played)} / ` : ''
      if (!paused) requestAnimationFrame(draw)
    }
    sound.onplay = () => {
      if (playing !== sound) playing?.pause()
      playing = sound
      setPlaying(true)
    }
    sound.onplaying = draw
    sound.onpause = () => {
      setPlaying(false)
      draw()
    }
    sound.onerror = () => {
      audio = undefined
      position.textContent = ''
      setPlaying(false)
      status.textContent = 'We could not load the recording. Check your connection and try again.'
    }
    return sound
  }

  button.addEventListener('click', (event) => {
    event.preventDefault()
    status.textContent = ''
    const sound = (audio ??= createAudio())
    if (!sound.paused) return sound.pause()
    if (sound.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) position.textContent = 'Loading…'
    // The error event reports failures. A pause before playback starts also rejects, but is no failure.
    sound.play().catch(() => {})
  })
  const elsewhere = [...document.querySelectorAll<HTMLAnchorElement>('a[data-hear]')].filter(
    ({ href }) => href === link.href,
  )
  for (const other of elsewhere)
    other.addEventListener('click', (event) => {
      event.preventDefault()
      recording.scrollIntoView({ block: 'nearest' })
      button.click()
    })
  // The visitor pressed a link before this script had loaded.
  if ([link, ...elsewhere].some(({ dataset }) => dataset.pressed !== undefined)) button.click()
}
