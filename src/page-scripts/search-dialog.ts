import { loadSearch, searchSite } from '#marketing/browser/site-search.ts'
import { createView, type State } from './search-view.ts'

/** Longer than this, in milliseconds, and somebody who waits is told so. */
const patience = 300
/** A connection that is announced is often not there yet: when to try, in milliseconds. */
const attemptsAfterOnline = [0, 1_000, 4_000]

const view = createView()
const { dialog, input } = view
let state: State = { kind: 'idle' }
let slashEntry = ''
/** Counts the searches, so that a late answer is not taken for the latest one. */
let turn = 0
let isSearching = false
/** Enter was pressed before the answer was there. */
let isHurried = false

/**
 * Opens the dialog with what was typed the last time.
 * @param slashKey names the storage entry that holds "off" if the visitor has turned the `/` key off
 */
export function openSearch(slashKey: string, isSlashOn: boolean): void {
  slashEntry = slashKey
  if (dialog.open) return input.select()
  const root = document.documentElement
  // The page behind stands still, and keeps the width that its scroll bar leaves it.
  root.style.scrollbarGutter = innerWidth > root.clientWidth ? 'stable' : ''
  view.slash.checked = isSlashOn
  dialog.showModal()
  input.select()
  begin()
}

/** Loads the engine while somebody looks at the empty field, and says at once where it cannot be had. */
function begin(): void {
  loadSearch().then(search, () => show({ kind: 'failed', isOffline: !navigator.onLine }))
}

function show(next: State): void {
  state = next
  view.show(state)
}

async function search(): Promise<void> {
  const query = input.value.trim()
  const asked = (turn += 1)
  isSearching = query !== ''
  if (!isSearching) return show({ kind: 'idle' })
  const waiting = setTimeout(() => show({ kind: 'loading' }), patience)
  const answer = await searchSite(query)
  clearTimeout(waiting)
  if (asked !== turn || answer.kind === 'overtaken') return
  isSearching = false
  show(answer.kind === 'found' && answer.hits.length === 0 ? { kind: 'none', query } : answer)
  if (isHurried) openFirst()
}

function openFirst(): void {
  isHurried = isSearching
  if (!isSearching && state.kind === 'found') view.links()[0]?.click()
}

function move(step: 1 | -1): void {
  const places: HTMLElement[] = [input, ...view.links()]
  const here = places.indexOf(document.activeElement as HTMLElement)
  places[here + step]?.focus()
}

input.addEventListener('input', () => {
  isHurried = false
  void search()
})
view.form.addEventListener('submit', (event) => {
  event.preventDefault()
  openFirst()
})
view.close.addEventListener('click', () => dialog.close())
view.again.addEventListener('click', () => {
  input.focus()
  show({ kind: 'loading' })
  begin()
})
view.slash.addEventListener('change', () => {
  try {
    if (view.slash.checked) localStorage.removeItem(slashEntry)
    else localStorage.setItem(slashEntry, 'off')
  } catch {
    // Storage is closed to this page: the key goes on as it was.
  }
})
addEventListener('online', () => {
  for (const after of attemptsAfterOnline)
    setTimeout(() => {
      if (dialog.open && state.kind === 'failed') begin()
    }, after)
})

// A press outside, or on a link: the answer may be further down on this very page.
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || (target as Element).closest('a')) dialog.close()
})

dialog.addEventListener('keydown', (event) => {
  const { key } = event
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault()
    move(key === 'ArrowDown' ? 1 : -1)
  } else if (
    key.length === 1 &&
    !event.ctrlKey &&
    !event.metaKey &&
    document.activeElement instanceof HTMLAnchorElement
  ) {
    // Typing goes on in the field, wherever one has moved to.
    input.focus()
  }
})

show(state)
