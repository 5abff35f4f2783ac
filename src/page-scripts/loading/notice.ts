import { reload } from './reload.ts'

const words = {
  missing: 'A part of this page did not load.',
  unreachable: 'Check your connection, then try again.',
}

/** At the bottom of the window, because a toast may say what failed. */
const box =
  'fixed inset-x-2 bottom-2 z-9 flex lamp max-w-[26rem] gap-3.5 rounded-strip bg-bad-solid py-3.5 pr-2 pl-4 text-on-enamel [box-shadow:0_8px_24px_rgb(0_0_0/0.18)] [--lamp-gap:var(--color-bad-solid)] lamp-bar before:mt-[7px] forced-colors:border md:bottom-4 md:left-pad'

let shown: HTMLElement | undefined

/**
 * Shows the one notice that code did not load, with a button that reloads the page. A browser may remember a failed
 * import until the document is closed, so only a reload is sure to help. The notice needs no other file.
 * @param title the words of a toast whose own code did not load, with its description
 */
export function showNotice(title = words.missing, description = ''): void {
  shown?.remove()
  shown = document.createElement('div')
  shown.className = box
  shown.role = 'alert'
  shown.dataset.unloaded = ''
  shown.innerHTML =
    '<p class="flex-auto"><b></b> <span></span> <button class="-my-2.5 inline-flex min-h-11 items-center font-semibold underline underline-offset-[0.22em]">Reload</button></p>' +
    '<button class="-my-2.5 grid size-11 flex-none place-items-center" aria-label="Close"><svg class="size-4 stroke-current stroke-[1.75]" viewBox="0 0 16 16" aria-hidden="true">' +
    '<path d="m2 2 12 12M14 2 2 14"/></svg></button>'
  const details = shown.querySelector('span')!
  const [button, close] = shown.querySelectorAll('button')
  shown.querySelector('b')!.textContent = title
  details.textContent = description
  button!.onclick = async () => {
    if (!(await reload())) details.textContent = words.unreachable
  }
  close!.onclick = shown.remove.bind(shown)
  // Everything outside an open modal dialog is inert.
  ;(document.querySelector('dialog:modal') ?? document.body).append(shown)
}

/**
 * Shows the notice if code that is loaded on use, or an island, did not load. Vite's loader and Astro's island, which
 * has then tried twice, say so by these events.
 */
export function watchLoading(): void {
  window.showNotice = showNotice
  for (const event of ['vite:preloadError', 'astro:hydration-error'])
    addEventListener(event, () => showNotice())
}
