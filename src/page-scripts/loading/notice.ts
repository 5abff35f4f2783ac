export interface Action {
  label: string
  act: () => void
}

/** How long a notice without an action stays, in milliseconds: as long as a toast (specification, section 9). */
const duration = 5_000

let shown: HTMLElement | undefined

/** Shows a message at the place of the toasts. It needs no file, because it is what tells of a missing one. */
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
      action.act()
    }
  } else {
    button!.remove()
    setTimeout(() => box.remove(), duration)
  }
  document.body.append(box)
}

function hideNotice(): void {
  shown?.remove()
}
