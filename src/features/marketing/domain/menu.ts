import { routes } from '#platform/domain/routes.ts'

/** The public pages, in the order of the navigation and the footer. */
export const menu = [
  { name: 'Home', href: '/' },
  { name: 'How it Works', href: '/how-it-works' },
  { name: 'Pricing', href: '/pricing' },
  { name: 'Industries', href: '/industries' },
  { name: 'FAQ', href: '/faq' },
  { name: 'Contact', href: '/contact' },
] as const

/** The log-in page. It is offered to visitors who are not signed in (`signed-out` in chrome.css). */
export const logIn = { name: 'Log in', href: routes.login } as const
