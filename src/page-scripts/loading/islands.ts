import { LoadFailure } from '#platform/browser/loading.ts'
import { load } from './files.ts'
import { remedyOf } from './tell.ts'

type Directive = (load: () => Promise<unknown>, options: unknown, island: HTMLElement) => unknown

/**
 * Lets each island of the page wait until all of its files have arrived. Astro's own scripts put their client directives
 * (`load`, `only`) on `window.Astro`; here each of them is wrapped as it is put there. If a file cannot be had, the
 * island says so in its place.
 */
export function guardIslands(): void {
  const guarded = (directive: Directive): Directive => {
    return async function start(loadIsland, options, island): Promise<void> {
      const again = (): void => void start(loadIsland, options, island)
      try {
        await load(island.dataset.files?.split(' ') ?? [], async () => {})
      } catch (failure) {
        return sayIn(island, failure as LoadFailure, again)
      }
      unsay(island)
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

  // The files came, and still the island did not start.
  addEventListener('astro:hydration-error', ({ target }) => {
    sayIn(target as HTMLElement, new LoadFailure('broken', 'It did not start'), () => {})
  })
}

/** Puts the message in the place of what says that the island is loading (`data-wait`), else above the form's button. */
function sayIn(island: HTMLElement, failure: LoadFailure, again: () => void): void {
  const isAgain = unsay(island)
  const { says, action } = remedyOf(failure, again)
  const box = document.createElement('div')
  box.dataset.missing = ''
  box.innerHTML = '<p class="err" role="alert"></p><button class="text" type="button"></button>'
  const [text, button] = box.children as unknown as [HTMLElement, HTMLButtonElement]
  text.textContent = says.join(' ')
  button.textContent = action.label
  button.onclick = () => {
    button.disabled = true
    action.act()
  }
  const waiting = island.querySelectorAll<HTMLElement>('[data-wait]')
  for (const part of waiting) part.hidden = true
  ;(waiting[0] ?? island.querySelector('[type=submit]') ?? island.firstElementChild)?.before(box)
  if (isAgain) button.focus()
}

/**
 * Leaves the island as the server drew it.
 * @returns whether there was a message
 */
function unsay(island: HTMLElement): boolean {
  for (const part of island.querySelectorAll<HTMLElement>('[data-wait]')) part.hidden = false
  const box = island.querySelector('[data-missing]')
  box?.remove()
  return box !== null
}
