import { storageKey } from '#site'

/** What the round buttons do not lie over: what sends a form or buys, and what says how that went. */
const important = 'button[type=submit], [data-action], [role=status]'
const root = document.documentElement
const rings = () => [...document.querySelectorAll<HTMLElement>('[data-ring]')]

const meet = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

let isDue = false
/** Hides the round buttons, at the next frame, if they lie over something important. */
function giveWay(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    const boxes = [...document.querySelectorAll(important)].map((each) => each.getBoundingClientRect())
    const isOver = rings().some((ring) =>
      boxes.some((box) => box.width > 0 && meet(ring.getBoundingClientRect(), box)),
    )
    root.toggleAttribute('data-yields', isOver)
  })
}

/** Lets the round buttons give way from now on. On a visitor's first page the agent's shows its name until it is used. */
export function tendRoundButtons(): void {
  for (const type of ['scroll', 'resize']) addEventListener(type, giveWay, { passive: true })
  new MutationObserver(giveWay).observe(document.body, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  giveWay()
  const key = storageKey('met')
  try {
    if (localStorage.getItem(key)) return
    localStorage.setItem(key, 'yes')
  } catch {
    return // Storage is not available: the name is shown on hover and focus.
  }
  const ring = rings().find(({ dataset }) => dataset.ring === 'agent')
  ring?.setAttribute('data-new', '')
  for (const type of ['pointerdown', 'keydown', 'scroll'])
    addEventListener(type, () => ring?.removeAttribute('data-new'), { once: true, passive: true })
}
