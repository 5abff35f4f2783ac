import { searchedWords, sortExactFirst, hitsOf, type Hit, type Match } from '#marketing/domain/site-search.ts'

/** The part of Pagefind's API that is used here. */
interface Pagefind {
  createInstance(options: { noWorker: boolean; excerptLength: number; ranking: object }): Engine
}
interface Engine {
  init(): Promise<void>
  /** Resolves to null if a later search has superseded this one. */
  debouncedSearch(query: string, options: object, delayMs: number): Promise<Results | null>
}
interface Results {
  results: readonly { data(): Promise<Match> }[]
}

/** An answer to a query; `idle` answers an empty one. */
export type SearchAnswer =
  | { kind: 'idle' }
  | { kind: 'found'; hits: readonly Hit[]; isCut: boolean }
  | { kind: 'none'; query: string }
  | { kind: 'failed'; isOffline: boolean }

/** The maximum length of a query, in characters. */
export const maxQueryLength = 200
const maxPages = 10
const excerptWords = 26
const searchDelayMs = 150
/** A title weighs more than text, so that a page whose title is the query is among the first; so do other words for it. */
const ranking = { metaWeights: { title: 20, also: 5 } }

let engine: Promise<Engine> | undefined
let attempts = 0

async function load(): Promise<Engine> {
  attempts += 1
  // A browser that remembers a failed import remembers it by its URL. The engine imports nothing itself.
  const url = `/pagefind/pagefind.js#${attempts}`
  const { createInstance } = (await import(/* @vite-ignore */ url)) as Pagefind
  const loaded = createInstance({ noWorker: true, excerptLength: excerptWords, ranking })
  await loaded.init()
  return loaded
}

/**
 * Searches the public pages after a pause in typing. The engine is loaded once, also by an empty query; after a failure,
 * the next search loads it again.
 * @returns what is found, or nothing if a later search has superseded this one
 */
export async function searchSite(query: string): Promise<SearchAnswer | undefined> {
  try {
    const loaded = await (engine ??= load())
    if (!query) return { kind: 'idle' }
    const asked = query.slice(0, maxQueryLength)
    let found = await loaded.debouncedSearch(asked, {}, searchDelayMs)
    if (found?.results.length === 0) found = await loaded.debouncedSearch(searchedWords(asked), {}, 0)
    if (!found) return undefined
    const { results } = found
    const matches = await Promise.all(results.slice(0, maxPages).map((result) => result.data()))
    const hits = sortExactFirst(query, matches.flatMap(hitsOf))
    return hits.length > 0
      ? { kind: 'found', hits, isCut: results.length > maxPages }
      : { kind: 'none', query }
  } catch {
    engine = undefined
    return { kind: 'failed', isOffline: !navigator.onLine }
  }
}
