import { portalTabOf, portalTabPath, type PortalTab } from '#domain/portal.ts'
import { routes } from '#domain/routes.ts'
import { useTab, type OpenTab } from '../panel/useTab.ts'

const tabs = { tabOf: portalTabOf, pathOf: portalTabPath, first: 'dashboard', index: routes.portal } as const

export const usePortalTab = (): { tab: PortalTab; open: OpenTab<PortalTab> } => useTab<PortalTab>(tabs)
