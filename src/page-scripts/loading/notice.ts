import { reload } from './reload.ts'

const words = {
  missing: 'A part of this page did not load.',
  unreachable: 'Check your connection, then try again.',
}

let shown: HTMLElement | undefined

/**
 * Shows the one notice that code did not load, with a button that reloads the page. A browser may remember a failed
 * import until the document is closed, so only a reload is sure to help. The notice needs no other file.
 * @param title the words of a toast whose own code did not load, with its description
 */
export function showNotice(title = words.missing, description = ''): void {
  shown?.remove()
  shown = document.createElement('div')
  shown.className = 'toasts unloaded'
  shown.innerHTML =
    '<div class="toast bad" role="alert"><p><b></b> <span></span> <button class="text">Reload</button></p>' +
    '<button class="x" aria-label="Close"><svg viewBox="0 0 16 16" aria-hidden="true">' +
    '<path d="m2 2 12 12M14 2 2 14"/></svg></button></div>'
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
