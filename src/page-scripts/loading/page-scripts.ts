import type { LoadFailure } from '#platform/browser/loading.ts'
import { load } from './files.ts'
import { tellFailure } from './tell.ts'

/** One of the page's own scripts, followed by all that it imports. */
type Script = readonly string[]

/** When what is missing is tried again by itself, in milliseconds after the failure before. */
const pauses = [2_000, 8_000, 30_000]
/** What waits for its script: buttons, and links that a script makes into buttons. */
const pressable = 'button,[data-recording] a'

/** What is drawn by code that is there already needs nobody's help. */
const isOurs = (target: EventTarget | null): target is Element =>
  target instanceof Element && !target.closest('astro-island,dialog,.toasts')

/**
 * Loads the page's own scripts once the page is whole and has been painted, so that none of them stands before what is
 * to be seen. A button that is pressed before is pressed again when they are there. If some could not be loaded, they
 * are tried again after a while, when the connection is back, and at the next press or key. A failure is told only to
 * a visitor who has pressed something.
 * @param element the script element on which the build has written the addresses (src/integrations/scripts-after-paint.ts)
 */
export async function loadPageScripts(element: HTMLScriptElement): Promise<void> {
  let missing: readonly Script[] = (element.dataset.modules ?? '')
    .split(',')
    .flatMap((script) => (script ? [script.split(' ')] : []))
  if (missing.length === 0) return
  const pressed = new Set<HTMLElement>()
  let isTold = false
  let isAtWork = true
  let pause = 0

  const attempt = async (): Promise<void> => {
    isAtWork = true
    const failures = await Promise.all(missing.map(loadOne))
    missing = missing.filter((_, index) => failures[index])
    isAtWork = false
    const failure = failures.find((each) => each && each.reason !== 'unreachable') ?? failures.find(Boolean)
    listen(false)
    for (const each of pressed) {
      // A link that is still a link would lead away.
      if (failure && each.matches('a')) continue
      // If something is missing, what nobody answers is pressed again with the next attempt.
      if (press(each) || !failure) pressed.delete(each)
    }
    if (!failure) return
    listen(true)
    if (isTold || failure.reason !== 'unreachable') tellFailure(failure, again)
    isTold = false
    const wait = pauses[pause++]
    if (wait) setTimeout(again, wait)
  }
  const again = (): void => {
    if (!isAtWork && missing.length > 0) void attempt()
  }
  const notice = ({ target }: Event): void => {
    if (!isOurs(target)) return
    isTold = true
    again()
  }
  const hold = (event: Event): void => {
    const button = isOurs(event.target) && event.target.closest<HTMLElement>(pressable)
    if (!button) return
    event.preventDefault()
    event.stopImmediatePropagation()
    button.dataset.pressed = ''
    pressed.add(button)
    notice(event)
  }
  const listen = (isOn: boolean): void => {
    const change = isOn ? addEventListener : removeEventListener
    change('click', hold, true)
    change('pointerdown', notice, true)
    change('keydown', notice, true)
    change('online', again)
  }

  listen(true)
  await Promise.all([painted(), parsed()])
  await attempt()
  delete element.dataset.modules
}

/**
 * Presses a button in its owner's place.
 * @returns whether a script answered: the page's own scripts say so by `preventDefault`
 */
const press = (button: HTMLElement): boolean =>
  !button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))

/** Each script runs in a task of its own. */
const loadOne = (script: Script): Promise<LoadFailure | undefined> =>
  load(script, () => new Promise((run) => setTimeout(() => run(import(/* @vite-ignore */ script[0]!))))).then(
    () => undefined,
    (failure: LoadFailure) => failure,
  )

const painted = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver((_, observer) => {
      observer.disconnect()
      resolve()
    }).observe({ type: 'paint', buffered: true })
  })

const parsed = (): Promise<unknown> => new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
