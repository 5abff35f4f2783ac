import { loadSearch, searchSite } from '#marketing/browser/site-search.ts'
import { browserStorage } from '#platform/browser/storage.ts'
import { createView, type State } from './search-view.ts'

/** The delay before the loading state is shown. */
const loadingDelayMs = 300
/** The delays of the attempts after the `online` event, in milliseconds: the connection often works only later. */
const retryDelaysMs = [0, 1_000, 4_000]

const view = createView()
const { dialog, input } = view
let state: State = { kind: 'idle' }
/** The storage key of the setting for the `/` key. */
let slashKey = ''
/** The number of the latest search; results of an earlier one are ignored. */
let latest = 0
let isSearching = false
/** Whether Enter was pressed before the results arrived: the first result is then opened when they do. */
let opensFirst = false

/**
 * Opens the dialog. It keeps the previous query.
 * @param key the storage key that holds "off" if the visitor has turned the `/` key off
 */
export function openSearch(key: string, isSlashOn: boolean): void {
  slashKey = key
  if (dialog.open) return input.select()
  const root = document.documentElement
  // The page behind the dialog cannot scroll. It keeps the space of its scroll bar, so that nothing moves.
  root.style.scrollbarGutter = innerWidth > root.clientWidth ? 'stable' : ''
  view.slash.checked = isSlashOn
  dialog.showModal()
  input.select()
  start()
}

/** Loads the search engine before the first key, then searches. A failure is shown at once. */
function start(): void {
  loadSearch().then(search, () => show({ kind: 'failed', isOffline: !navigator.onLine }))
}

function show(next: State): void {
  state = next
  view.show(state)
}

async function search(): Promise<void> {
  const query = input.value.trim()
  const current = (latest += 1)
  isSearching = query !== ''
  if (!isSearching) return show({ kind: 'idle' })
  const loadingTimer = setTimeout(() => show({ kind: 'loading' }), loadingDelayMs)
  const answer = await searchSite(query)
  clearTimeout(loadingTimer)
  if (current !== latest || answer.kind === 'stale') return
  isSearching = false
  show(answer.kind === 'found' && answer.hits.length === 0 ? { kind: 'none', query } : answer)
  if (opensFirst) openFirst()
}

function openFirst(): void {
  opensFirst = isSearching
  if (!isSearching && state.kind === 'found') view.links()[0]?.click()
}

function move(step: 1 | -1): void {
  const stops: HTMLElement[] = [input, ...view.links()]
  const current = stops.indexOf(document.activeElement as HTMLElement)
  stops[current + step]?.focus()
}

input.addEventListener('input', () => {
  opensFirst = false
  void search()
})
view.form.addEventListener('submit', (event) => {
  event.preventDefault()
  openFirst()
})
view.close.addEventListener('click', () => dialog.close())
view.retry.addEventListener('click', () => {
  input.focus()
  show({ kind: 'loading' })
  start()
})
view.slash.addEventListener('change', () => {
  if (view.slash.checked) browserStorage.remove(slashKey)
  else browserStorage.write(slashKey, 'off')
})
addEventListener('online', () => {
  for (const delayMs of retryDelaysMs)
    setTimeout(() => {
      if (dialog.open && state.kind === 'failed') start()
    }, delayMs)
})

// Closes the dialog on a press outside it and on a link, because a link may lead to a place on this same page.
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
    // A letter that is typed on a result goes into the field.
    input.focus()
  }
})

show(state)
