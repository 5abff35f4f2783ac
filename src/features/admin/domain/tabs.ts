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

/** The tab of a path; the index is users; null where the path names a tab that does not exist. */
export function adminTabOf(pathname: string): AdminTab | null {
  const rest = pathname.slice(routes.admin.length).replace(/^\/+|\/+$/g, '')
  if (rest === '') return 'users'
  return adminTabs.find((tab) => tab === rest) ?? null
}
