import { routes } from '#platform/domain/routes.ts'
import { defineTabs } from '#platform/domain/tabs.ts'

/** Tells whether the address says that onboarding has just been completed. */
export const arrivedFromOnboarding = (search: string): boolean =>
  new URLSearchParams(search).get('onboarding_complete') === 'true'

const tabs = defineTabs(routes.portal, {
  dashboard: 'Dashboard',
  bookings: 'Bookings',
  agent: 'Agent',
  voice: 'Voice',
  billing: 'Billing',
  connections: 'Connections',
  settings: 'Settings',
})

/**
 * The portal's tabs (specification, section 2). An address that says that onboarding has just been completed shows the
 * first one.
 */
export const portalTabs: typeof tabs = {
  ...tabs,
  tabOf: (address) => (arrivedFromOnboarding(address.search) ? tabs.first : tabs.tabOf(address)),
}
