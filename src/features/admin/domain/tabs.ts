import { routes } from '#platform/domain/routes.ts'
import { defineTabs } from '#platform/domain/tabs.ts'

/** The admin area's tabs: those of the specification (section 2) in its order, then our own. */
export const adminTabs = defineTabs(routes.admin, {
  users: 'Users',
  demos: 'Demos',
  faqs: 'FAQs',
  settings: 'Settings',
  payments: 'Payments',
  agents: 'Agents',
})
export type AdminTab = (typeof adminTabs.all)[number]
