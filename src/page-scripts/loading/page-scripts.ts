import { showNotice } from './notice.ts'

/**
 * Returns the button that a press has hit: one of the static page, or a link that a script turns into a button. Islands,
 * dialogs and toasts have code that is already there.
 */
function pressed({ target }: Event): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest('astro-island,dialog,[data-toaster],[data-unloaded]'))
    return undefined
  return target.closest<HTMLElement>('button,[data-recording] a,a[data-hear]') ?? undefined
}

/**
 * Loads the page's own scripts after the page is parsed and painted, so that none of them delays the first paint. A
 * button that is pressed earlier is pressed again after they have loaded. If one fails to load, a notice says so, and
 * again at each press that no script handles.
 * @param element the script element on which the build has written the URLs (src/integrations/finished-pages.ts)
 */
export async function loadPageScripts(element: HTMLScriptElement): Promise<void> {
  const { modules } = element.dataset
  if (!modules) return
  const early = new Set<HTMLElement>()
  const deferPress = (event: Event): void => {
    const button = pressed(event)
    if (!button) return
    event.preventDefault()
    event.stopImmediatePropagation()
    button.dataset.pressed = ''
    early.add(button)
  }
  addEventListener('click', deferPress, true)
  await Promise.all([painted(), parsed()])
  const loaded = await Promise.all(modules.split(' ').map(loadScript))
  removeEventListener('click', deferPress, true)
  delete element.dataset.modules
  // The script of a link sees for itself that the link was pressed; without it, the press would open a file.
  for (const button of early) if (!button.matches('a')) button.click()
  if (loaded.every(Boolean)) return
  // The page's own scripts call `preventDefault`.
  addEventListener('click', (event) => {
    if (!event.defaultPrevented && pressed(event)?.matches('button')) showNotice()
  })
}

/** Runs a script; a failure is shown. Resolves to whether it has loaded. */
const loadScript = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = url
    script.onload = () => resolve(true)
    script.onerror = () => {
      showNotice()
      resolve(false)
    }
    document.head.append(script)
  })

const painted = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver((_, observer) => {
      observer.disconnect()
      resolve()
    }).observe({ type: 'paint', buffered: true })
  })

const parsed = (): Promise<unknown> => new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))
