import type { AstroGlobal } from 'astro'

/** Sources of a content policy by directive; several in one string are separated by spaces. */
interface Sources {
  script?: string
  connect?: string
  frame?: string
}

/** Adds sources to the content policy of one page. */
export function admitSources(csp: AstroGlobal['csp'], { script, connect, frame }: Sources): void {
  if (script) csp?.insertScriptResource(script)
  if (connect) csp?.insertDirective(`connect-src ${connect}`)
  if (frame) csp?.insertDirective(`frame-src ${frame}`)
}

/**
 * What the content policy of a page that takes or confirms payments by card has to allow: Stripe.js, its API and its
 * frames (https://docs.stripe.com/security/guide#content-security-policy).
 */
export const stripeSources = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  connect: 'https://api.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
} as const

/**
 * The sources that a page's content policy has to allow for a call to an agent. Vapi's SDK loads Daily's code from
 * c.daily.co by a script element (docs/decisions/0022-calls-from-the-browser.md); its own API is asked by our server.
 */
export const callSources = {
  script: 'https://c.daily.co',
  connect: 'https://*.daily.co wss://*.daily.co',
} as const
