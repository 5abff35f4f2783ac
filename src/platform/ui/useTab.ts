import { useEffect, useState, type MouseEvent } from 'react'

/** Returns the click handler of the link to a tab. A click with a modifier key follows the link as usual. */
export type OpenTab<Tab> = (tab: Tab) => (event: MouseEvent<HTMLAnchorElement>) => void

interface Tabs<Tab> {
  /** Returns the tab of an address; null if there is no such tab. */
  tabOf: (address: Pick<Location, 'pathname' | 'search'>) => Tab | null
  pathOf: (tab: Tab) => string
  /** The tab of the index path, and that path. */
  first: Tab
  index: string
}

/** Keeps the tab in the URL. A plain click on a tab's link changes the URL without loading the page again. */
export function useTab<Tab>({ tabOf, pathOf, first, index }: Tabs<Tab>): { tab: Tab; open: OpenTab<Tab> } {
  const currentTab = (): Tab => tabOf(location) ?? first
  const [tab, setTab] = useState(currentTab)

  useEffect(() => {
    if (tabOf(location) === null) history.replaceState(null, '', index)
    const moved = (): void => setTab(tabOf(location) ?? first)
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [tabOf, first, index])

  const open = (next: Tab) => (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (next === currentTab()) return
    history.pushState(null, '', pathOf(next))
    setTab(() => next)
    scrollTo({ top: 0 })
  }
  return { tab, open }
}
