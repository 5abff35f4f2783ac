import { useEffect, useState, type MouseEvent } from 'react'
import type { Tabs } from '#platform/domain/tabs.ts'

type FollowLink = (event: MouseEvent<HTMLAnchorElement>) => void

/** Returns the click handler of the link to a tab. A click with a modifier key follows the link as usual. */
export type OpenTab<Tab> = (tab: Tab) => FollowLink

/** Returns the click handler of a link within this page: a plain click changes the URL without loading the page again. */
export const followInPage =
  (href: string): FollowLink =>
  (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (href !== location.pathname + location.search) {
      history.pushState(null, '', href)
      dispatchEvent(new PopStateEvent('popstate'))
    }
    scrollTo({ top: 0 })
  }

/** Keeps the tab in the URL. */
export function useTab<Tab extends string>(tabs: Tabs<Tab>): { tab: Tab; open: OpenTab<Tab> } {
  const currentTab = (): Tab => tabs.tabOf(location) ?? tabs.first
  const [tab, setTab] = useState(currentTab)

  useEffect(() => {
    if (tabs.tabOf(location) === null) history.replaceState(null, '', tabs.index)
    const moved = (): void => setTab(tabs.tabOf(location) ?? tabs.first)
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [tabs])

  return { tab, open: (next) => followInPage(tabs.pathOf(next)) }
}
