import { searchSite } from '#marketing/browser/site-search.ts'
import { browserStorage } from '#platform/browser/storage/storage.ts'
import { createView } from './search-view.ts'

/** The delay before the loading state is shown. */
const loadingDelayMs = 300
/** The delays of the attempts after the `online` event, in milliseconds: the connection often works only later. */
const retryDelaysMs = [0, 1_000, 4_000]

const view = createView()
const { dialog, input } = view
/** The storage key of the setting for the `/` key. */
let slashKey = ''
/** The latest search; the answer to an earlier one is ignored. */
let latest: Promise<unknown> | undefined

/**
 * Opens the dialog, and loads the search engine before the first key. The dialog keeps the previous query.
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
  search()
}

/** Shows what answers the query in the field. */
function search(): void {
  const query = input.value.trim()
  if (!query) view.show({ kind: 'idle' })
  const loadingTimer = setTimeout(() => {
    if (query && latest === answered) view.show({ kind: 'loading' })
  }, loadingDelayMs)
  const answered = searchSite(query).then((answer) => {
    clearTimeout(loadingTimer)
    if (answer && latest === answered) view.show(answer)
  })
  latest = answered
}

function move(step: 1 | -1): void {
  const stops: HTMLElement[] = [input, ...view.links()]
  const current = stops.indexOf(document.activeElement as HTMLElement)
  stops[current + step]?.focus()
}

input.addEventListener('input', search)
view.form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const asked = latest
  await asked
  // Text that was typed meanwhile asks for something else.
  if (latest === asked) view.firstResult()?.click()
})
view.close.addEventListener('click', () => dialog.close())
view.retry.addEventListener('click', () => {
  input.focus()
  view.show({ kind: 'loading' })
  search()
})
view.slash.addEventListener('change', () => {
  if (view.slash.checked) browserStorage.remove(slashKey)
  else browserStorage.write(slashKey, 'off')
})
addEventListener('online', () => {
  for (const delayMs of retryDelaysMs)
    setTimeout(() => {
      if (dialog.open && dialog.dataset.shows === 'failed') search()
    }, delayMs)
})

// Closes the dialog on a press outside it, on a link, because that may lead to a place on this same page, and for the agent.
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || (target as Element).closest('a, [data-voice-demo]')) dialog.close()
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
