import { routes } from '#platform/domain/routes.ts'

/** The admin area's tabs in their order (specification, section 2). */
export const adminTabs = ['users', 'demos', 'faqs', 'settings'] as const
export type AdminTab = (typeof adminTabs)[number]

export const adminTabNames: Record<AdminTab, string> = {
  users: 'Users',
  demos: 'Demos',
  faqs: 'FAQs',
  settings: 'Settings',
}

export const adminTabPath = (tab: AdminTab): string => `${routes.admin}/${tab}`

/** Returns the tab of a path. The index is users; null if there is no such tab. */
export function adminTabOf({ pathname }: { pathname: string }): AdminTab | null {
  const rest = pathname.slice(routes.admin.length).replace(/^\/+|\/+$/g, '')
  if (rest === '') return 'users'
  return adminTabs.find((tab) => tab === rest) ?? null
}
