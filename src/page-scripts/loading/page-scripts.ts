import type { LoadFailure } from '#platform/browser/loading.ts'
import { showFailure } from './failure-message.ts'
import { load } from './files.ts'

/** The URL of one of the page's own scripts, followed by the URLs of all its imports. */
type Script = readonly string[]

/** The delays before the automatic retries, in milliseconds, each counted from the previous failure. */
const retryDelaysMs = [2_000, 8_000, 30_000]
/** Elements whose press may need a script: buttons, and links that a script turns into buttons. */
const pressable = 'button,[data-recording] a'

/**
 * Returns whether an element belongs to the static page. Islands, dialogs and toasts have code that is already there.
 */
const isStatic = (target: EventTarget | null): target is Element =>
  target instanceof Element && !target.closest('astro-island,dialog,.toasts')

/**
 * Loads the page's own scripts after the page is parsed and painted, so that none of them delays the first paint. A
 * button that is pressed earlier is pressed again after its script has loaded. Scripts that fail to load are tried
 * again after a delay, when the browser is online again, and at the next press or key. A network failure is shown
 * only after a press or key; a failure that needs a reload is always shown.
 * @param element the script element on which the build has written the URLs (src/integrations/scripts-after-paint.ts)
 */
export async function loadPageScripts(element: HTMLScriptElement): Promise<void> {
  let missing: readonly Script[] = (element.dataset.modules ?? '')
    .split(',')
    .flatMap((script) => (script ? [script.split(' ')] : []))
  if (missing.length === 0) return
  const pressed = new Set<HTMLElement>()
  let hasInteracted = false
  let isLoading = true
  let retries = 0

  const loadMissing = async (): Promise<void> => {
    isLoading = true
    const failures = await Promise.all(missing.map(loadOne))
    missing = missing.filter((_, index) => failures[index])
    isLoading = false
    const failure = failures.find((each) => each && each.reason !== 'unreachable') ?? failures.find(Boolean)
    setListening(false)
    for (const each of pressed) {
      // A link whose script is missing would open its file.
      if (failure && each.matches('a')) continue
      // While scripts are missing, a press that no script has handled is repeated after the next attempt.
      if (press(each) || !failure) pressed.delete(each)
    }
    if (!failure) return
    setListening(true)
    if (hasInteracted || failure.reason !== 'unreachable') showFailure(failure, retry)
    hasInteracted = false
    const delayMs = retryDelaysMs[retries++]
    if (delayMs) setTimeout(retry, delayMs)
  }
  const retry = (): void => {
    if (!isLoading && missing.length > 0) void loadMissing()
  }
  const onInteraction = ({ target }: Event): void => {
    if (!isStatic(target)) return
    hasInteracted = true
    retry()
  }
  const deferPress = (event: Event): void => {
    const button = isStatic(event.target) && event.target.closest<HTMLElement>(pressable)
    if (!button) return
    event.preventDefault()
    event.stopImmediatePropagation()
    button.dataset.pressed = ''
    pressed.add(button)
    onInteraction(event)
  }
  const setListening = (isOn: boolean): void => {
    const change = isOn ? addEventListener : removeEventListener
    change('click', deferPress, true)
    change('pointerdown', onInteraction, true)
    change('keydown', onInteraction, true)
    change('online', retry)
  }

  setListening(true)
  await Promise.all([painted(), parsed()])
  await loadMissing()
  delete element.dataset.modules
}

/**
 * Presses a button by script.
 * @returns whether a script handled it: the page's own scripts call `preventDefault`
 */
const press = (button: HTMLElement): boolean =>
  !button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))

/** Loads a script and runs it in its own task. */
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
