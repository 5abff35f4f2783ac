import { loadUrl } from '#platform/browser/loading.ts'
import { hitsOf, type Hit, type Match } from '#marketing/domain/site-search.ts'

/** Pagefind in the browser, as far as it is used here. */
interface Pagefind {
  createInstance(options: { noWorker: boolean; excerptLength: number }): Engine
}
interface Engine {
  init(): Promise<void>
  /** Null when a later search has overtaken this one. */
  debouncedSearch(query: string, options: object, milliseconds: number): Promise<Found | null>
}
interface Found {
  results: readonly { data(): Promise<Match> }[]
}

export type SearchAnswer =
  | { kind: 'found'; hits: readonly Hit[]; isCut: boolean }
  | { kind: 'failed'; isOffline: boolean }
  | { kind: 'overtaken' }

/** The longest query, in characters; more would only keep the engine busy. */
export const longestQuery = 200
const mostPages = 10
const excerptWords = 26
const pauseBeforeSearch = 150

let engine: Promise<Engine> | undefined

/** Loads the engine, unless it is here or on its way. After a failure the next call tries again. */
export function loadSearch(): Promise<Engine> {
  engine ??= load()
  engine.catch(() => (engine = undefined))
  return engine
}

async function load(): Promise<Engine> {
  const { createInstance } = (await loadUrl('/pagefind/pagefind.js')) as Pagefind
  const loaded = createInstance({ noWorker: true, excerptLength: excerptWords })
  await loaded.init()
  return loaded
}

/** Searches the public pages for what somebody has typed so far, once they pause. */
export async function searchSite(query: string): Promise<SearchAnswer> {
  try {
    const loaded = await loadSearch()
    const found = await loaded.debouncedSearch(query.slice(0, longestQuery), {}, pauseBeforeSearch)
    if (!found) return { kind: 'overtaken' }
    const { results } = found
    const matches = await Promise.all(results.slice(0, mostPages).map((result) => result.data()))
    return { kind: 'found', hits: matches.flatMap(hitsOf), isCut: results.length > mostPages }
  } catch {
    engine = undefined
    return { kind: 'failed', isOffline: !navigator.onLine }
  }
}
