import { useEffect, useEffectEvent } from 'react'
import { adminTabs, type AdminTab } from '#admin/domain/tabs.ts'

/**
 * Runs `follow` whenever the address changes to one of this tab, and at first: it may have changed while another tab was
 * shown.
 */
export function useAddress(tab: AdminTab, follow: () => void): void {
  const followAddress = useEffectEvent(() => {
    if (adminTabs.tabOf(location) === tab) follow()
  })
  useEffect(() => {
    const moved = (): void => followAddress()
    moved()
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [])
}
