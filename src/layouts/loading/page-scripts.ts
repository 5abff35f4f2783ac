import type { LoadFailure } from '#clients/loading.ts'
import { load } from './files.ts'
import { tellFailure } from './tell.ts'

/** One of the page's own scripts, followed by all that it imports. */
type Script = readonly string[]

const isOurs = (target: EventTarget | null, selector: string): Element | null =>
  target instanceof Element && !target.closest('astro-island,.toasts') ? target.closest(selector) : null

/**
 * Loads the page's own scripts once the page is whole and has been painted, so that none of them stands before what is
 * to be seen. A button that is pressed before is pressed again when they are there. If some could not be loaded, they
 * are tried again as soon as somebody presses a button or types, and when the connection is back.
 * @param element the script element on which the build has written the addresses (src/integrations/scripts-after-paint.ts)
 */
export async function loadPageScripts(element: HTMLScriptElement): Promise<void> {
  let missing: readonly Script[] = (element.dataset.modules ?? '')
    .split(',')
    .flatMap((script) => (script ? [script.split(' ')] : []))
  if (missing.length === 0) return
  const pressed = new Set<HTMLElement>()
  let attempt: Promise<unknown> | undefined

  const loadMissing = async (): Promise<LoadFailure | undefined> => {
    const failures = await Promise.all(missing.map(loadOne))
    missing = missing.filter((_, index) => failures[index])
    return failures.find((failure) => failure?.isOutdated) ?? failures.find(Boolean)
  }
  const hold = (event: Event): void => {
    const button = isOurs(event.target, 'button')
    if (!button) return
    event.preventDefault()
    event.stopImmediatePropagation()
    pressed.add(button as HTMLElement)
    again()
  }
  const typed = ({ target }: Event): void => {
    if (isOurs(target, 'input')) again()
  }
  const listen = (isOn: boolean): void => {
    const change = isOn ? addEventListener : removeEventListener
    change('click', hold, true)
    change('input', typed, true)
    change('online', again)
  }
  /** Presses what was pressed: also if something is still missing, because something else may be meant. */
  const settle = (failure: LoadFailure | undefined): void => {
    listen(false)
    for (const button of pressed) button.click()
    pressed.clear()
    if (failure) listen(true)
  }
  function again(): void {
    attempt ??= loadMissing().then((failure) => {
      attempt = undefined
      settle(failure)
      if (failure) tellFailure(failure, again)
    })
  }

  listen(true)
  attempt = Promise.all([painted(), parsed()])
  await attempt
  const failure = await loadMissing()
  attempt = undefined
  delete element.dataset.modules
  settle(failure)
  if (failure?.isOutdated) tellFailure(failure, again)
}

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

const parsed = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
