import { portalTabOf, portalTabPath, type PortalTab } from '#portal/domain/tabs.ts'
import { routes } from '#platform/domain/routes.ts'
import { useTab, type OpenTab } from '#platform/ui/useTab.ts'

const tabs = { tabOf: portalTabOf, pathOf: portalTabPath, first: 'dashboard', index: routes.portal } as const

export const usePortalTab = (): { tab: PortalTab; open: OpenTab<PortalTab> } => useTab<PortalTab>(tabs)
