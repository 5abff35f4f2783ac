import { routes } from '#platform/domain/routes.ts'

/** The portal's tabs in their order (specification, section 2; the agent's is ours). */
export const portalTabs = ['dashboard', 'agent', 'voice', 'billing', 'settings'] as const
export type PortalTab = (typeof portalTabs)[number]

export const portalTabNames: Record<PortalTab, string> = {
  dashboard: 'Dashboard',
  agent: 'Agent',
  voice: 'Voice',
  billing: 'Billing',
  settings: 'Settings',
}

export const portalTabPath = (tab: PortalTab): string => `${routes.portal}/${tab}`

/** Tells whether the address says that onboarding has just been completed. */
export const arrivedFromOnboarding = (search: string): boolean =>
  new URLSearchParams(search).get('onboarding_complete') === 'true'

/**
 * Returns the tab of an address. The index is the dashboard; so is every address that says that onboarding has just been
 * completed. Null if there is no such tab.
 */
export function portalTabOf({ pathname, search }: { pathname: string; search: string }): PortalTab | null {
  const rest = pathname.slice(routes.portal.length).replace(/^\/+|\/+$/g, '')
  if (rest === '' || arrivedFromOnboarding(search)) return 'dashboard'
  return portalTabs.find((tab) => tab === rest) ?? null
}
