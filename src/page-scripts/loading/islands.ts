import { LoadFailure } from '#platform/browser/loading.ts'
import { failureMessage } from './failure-message.ts'
import { load } from './files.ts'

type Directive = (load: () => Promise<unknown>, options: unknown, island: HTMLElement) => unknown

/**
 * Delays each island of the page until all of its files have loaded. Astro's own scripts register their client
 * directives (`load`, `only`) on `window.Astro`; each directive is wrapped when it is registered. If a file fails to
 * load, the island shows a message.
 */
export function guardIslands(): void {
  const guarded = (directive: Directive): Directive => {
    return async function start(loadIsland, options, island): Promise<void> {
      const retry = (): void => void start(loadIsland, options, island)
      try {
        await load(island.dataset.files?.split(' ') ?? [], async () => {})
      } catch (failure) {
        return showMessage(island, failure as LoadFailure, retry)
      }
      hideMessage(island)
      await directive(loadIsland, options, island)
    }
  }
  const astro = new Proxy<Record<string | symbol, Directive>>(
    {},
    {
      set: (directives, name, directive: Directive) => {
        directives[name] = guarded(directive)
        return true
      },
    },
  )
  Object.assign(window, { Astro: astro })

  // The files have loaded, but the island did not start.
  addEventListener('astro:hydration-error', ({ target }) => {
    showMessage(target as HTMLElement, new LoadFailure('broken', 'It did not start'), () => {})
  })
}

/** Shows a message in place of the island's loading state (`data-wait`), or else above the button of its form. */
function showMessage(island: HTMLElement, failure: LoadFailure, retry: () => void): void {
  const hadMessage = hideMessage(island)
  const { text, action } = failureMessage(failure, retry)
  const box = document.createElement('div')
  box.dataset.missing = ''
  box.innerHTML = '<p class="err" role="alert"></p><button class="text" type="button"></button>'
  const [paragraph, button] = box.children as unknown as [HTMLElement, HTMLButtonElement]
  paragraph.textContent = text.join(' ')
  button.textContent = action.label
  button.onclick = () => {
    button.disabled = true
    action.run()
  }
  const waiting = island.querySelectorAll<HTMLElement>('[data-wait]')
  for (const part of waiting) part.hidden = true
  ;(waiting[0] ?? island.querySelector('[type=submit]') ?? island.firstElementChild)?.before(box)
  if (hadMessage) button.focus()
}

/**
 * Removes the message and shows the island as it was built.
 * @returns whether there was a message
 */
function hideMessage(island: HTMLElement): boolean {
  for (const part of island.querySelectorAll<HTMLElement>('[data-wait]')) part.hidden = false
  const box = island.querySelector('[data-missing]')
  box?.remove()
  return box !== null
}
