import { useEffect, useState, type MouseEvent } from 'react'
import type { Tabs } from '#platform/domain/tabs.ts'

/** Returns the click handler of the link to a tab. A click with a modifier key follows the link as usual. */
export type OpenTab<Tab> = (tab: Tab) => (event: MouseEvent<HTMLAnchorElement>) => void

/** Keeps the tab in the URL. A plain click on a tab's link changes the URL without loading the page again. */
export function useTab<Tab extends string>(tabs: Tabs<Tab>): { tab: Tab; open: OpenTab<Tab> } {
  const currentTab = (): Tab => tabs.tabOf(location) ?? tabs.first
  const [tab, setTab] = useState(currentTab)

  useEffect(() => {
    if (tabs.tabOf(location) === null) history.replaceState(null, '', tabs.index)
    const moved = (): void => setTab(tabs.tabOf(location) ?? tabs.first)
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [tabs])

  const open = (next: Tab) => (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (next === currentTab()) return
    history.pushState(null, '', tabs.pathOf(next))
    setTab(next)
    scrollTo({ top: 0 })
  }
  return { tab, open }
}
