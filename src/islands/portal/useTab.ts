import { useEffect, useState, type MouseEvent } from 'react'
import { portalTabOf, portalTabPath, type PortalTab } from '#domain/portal.ts'
import { routes } from '#domain/routes.ts'

const currentTab = (): PortalTab => portalTabOf(location.pathname) ?? 'dashboard'

/** The tab of the address. Links stay links; a plain press changes the address without loading the page again. */
export function useTab(): {
  tab: PortalTab
  open: (tab: PortalTab) => (event: MouseEvent<HTMLAnchorElement>) => void
} {
  const [tab, setTab] = useState(currentTab)

  useEffect(() => {
    if (portalTabOf(location.pathname) === null) history.replaceState(null, '', routes.portal)
    const moved = (): void => setTab(currentTab())
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [])

  const open = (next: PortalTab) => (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (next === currentTab()) return
    history.pushState(null, '', portalTabPath(next))
    setTab(next)
    scrollTo({ top: 0 })
  }
  return { tab, open }
}
