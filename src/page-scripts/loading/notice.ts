export interface Action {
  label: string
  run: () => void
}

/** The time for which a notice without an action is shown: as long as a toast (specification, section 9). */
const durationMs = 5_000

let shown: HTMLElement | undefined

/** Shows a message where toasts appear. It needs no other file, because it also reports files that failed to load. */
export function showNotice([title, description]: readonly (string | undefined)[], action?: Action): void {
  hideNotice()
  const box = document.createElement('div')
  shown = box
  box.className = 'toasts'
  box.innerHTML =
    '<div class="toast bad" role="alert"><p><b></b> <span></span> <button class="text"></button></p>' +
    '<button class="x" aria-label="Close"><svg viewBox="0 0 16 16" aria-hidden="true">' +
    '<path d="m2 2 12 12M14 2 2 14"/></svg></button></div>'
  box.querySelector('b')!.textContent = title ?? ''
  box.querySelector('span')!.textContent = description ?? ''
  const [button, close] = box.querySelectorAll('button')
  close!.onclick = hideNotice
  if (action) {
    button!.textContent = action.label
    button!.onclick = () => {
      hideNotice()
      action.run()
    }
  } else {
    button!.remove()
    setTimeout(() => box.remove(), durationMs)
  }
  document.body.append(box)
}

function hideNotice(): void {
  shown?.remove()
}
