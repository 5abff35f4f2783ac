import { routes } from '#platform/domain/routes.ts'

/** The public pages, in the order of the navigation and the footer. */
export const menu = [
  { name: 'Home', href: routes.home },
  { name: 'How it Works', href: routes.howItWorks },
  { name: 'Pricing', href: routes.pricing },
  { name: 'Industries', href: routes.industries },
  { name: 'FAQ', href: routes.faq },
  { name: 'Contact', href: routes.contact },
] as const

/** The log-in page. It is offered to visitors who are not signed in (`signed-out` in chrome.css). */
export const logIn = { name: 'Log in', href: routes.login } as const
