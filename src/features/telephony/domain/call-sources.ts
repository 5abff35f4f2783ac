/**
 * The sources that a page's content policy has to allow for a call to an agent. Vapi's SDK loads Daily's code from
 * c.daily.co by a script element (docs/decisions/0022-calls-from-the-browser.md); its own API is asked by our server.
 */
export const callSources = {
  script: 'https://c.daily.co',
  connect: 'https://*.daily.co wss://*.daily.co',
} as const
