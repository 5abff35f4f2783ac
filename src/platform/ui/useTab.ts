import { useEffect, useState, type MouseEvent } from 'react'

/** A plain press on the link to a tab; with a key held down it stays a link. */
export type OpenTab<Tab> = (tab: Tab) => (event: MouseEvent<HTMLAnchorElement>) => void

interface Tabs<Tab> {
  /** The tab of a path; null where the path names one that does not exist. */
  tabOf: (pathname: string) => Tab | null
  pathOf: (tab: Tab) => string
  /** The tab of the bare address, and that address. */
  first: Tab
  index: string
}

/** The tab of the address. Links stay links; a plain press changes the address without loading the page again. */
export function useTab<Tab>({ tabOf, pathOf, first, index }: Tabs<Tab>): { tab: Tab; open: OpenTab<Tab> } {
  const currentTab = (): Tab => tabOf(location.pathname) ?? first
  const [tab, setTab] = useState(currentTab)

  useEffect(() => {
    if (tabOf(location.pathname) === null) history.replaceState(null, '', index)
    const moved = (): void => setTab(tabOf(location.pathname) ?? first)
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
