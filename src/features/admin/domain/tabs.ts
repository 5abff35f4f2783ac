import { routes } from '#platform/domain/routes.ts'
import { defineTabs } from '#platform/domain/tabs.ts'

/** The admin area's tabs: those of the specification (section 2) in its order, and our own before the last of them. */
export const adminTabs = defineTabs(routes.admin, {
  users: 'Users',
  demos: 'Demos',
  faqs: 'FAQs',
  leads: 'Leads',
  agents: 'Agents',
  payments: 'Payments',
  settings: 'Settings',
})
export type AdminTab = (typeof adminTabs.all)[number]
