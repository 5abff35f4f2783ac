import { durationLabel } from '#platform/domain/duration.ts'

/** Columns of dots in a recording's wave. */
const columns = 50
/** One recording is heard at a time. */
let heard: HTMLAudioElement | undefined

for (const recording of document.querySelectorAll<HTMLElement>('[data-recording]')) attach(recording)

/** Turns the link to a file into a button that fetches it when it is pressed, plays it and shows how far it is. */
function attach(recording: HTMLElement): void {
  const link = recording.querySelector('a')!
  const at = recording.querySelector('.at')!
  const status = recording.querySelector('[role=status]')!
  const name = link.getAttribute('aria-label')!
  const button = document.createElement('button')
  button.type = 'button'
  button.className = link.className
  button.setAttribute('aria-label', name)
  button.append(...link.childNodes)
  link.replaceWith(button)

  let audio: HTMLAudioElement | undefined

  /** Marks the recording as being played, or not; the rest is style. */
  const mark = (isOn: boolean): void => {
    recording.toggleAttribute('data-playing', isOn)
    button.setAttribute('aria-label', isOn ? name.replace('Play', 'Pause') : name)
  }

  const begin = (): HTMLAudioElement => {
    const sound = new Audio(link.href)
    const draw = (): void => {
      const { currentTime, duration, ended, paused } = sound
      const played = ended ? 0 : currentTime
      recording.style.setProperty('--played', `${Math.ceil((played / duration) * columns || 0) / columns}`)
      at.textContent = played ? `${durationLabel(played)} / ` : ''
      if (!paused) requestAnimationFrame(draw)
    }
    sound.onplay = () => {
      if (heard !== sound) heard?.pause()
      heard = sound
      mark(true)
    }
    sound.onplaying = draw
    sound.onpause = () => {
      mark(false)
      draw()
    }
    sound.onerror = () => {
      audio = undefined
      at.textContent = ''
      mark(false)
      status.textContent = 'We could not load the recording. Check your connection and try again.'
    }
    return sound
  }

  button.addEventListener('click', (event) => {
    event.preventDefault()
    status.textContent = ''
    const sound = (audio ??= begin())
    if (!sound.paused) return sound.pause()
    if (sound.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) at.textContent = 'Loading… '
    // What goes wrong is told by the error event; a pause before the start is no failure.
    sound.play().catch(() => {})
  })
  // It was pressed while this script was on its way.
  if (link.dataset.pressed !== undefined) button.click()
}
