import { planName } from '#plans/domain/plans.ts'

/** What a request for help can be about, as the form offers it. */
export const helpTopics = {
  charge: 'A charge or an invoice',
  login: 'I cannot log in',
  blocked: 'My account is blocked',
  agent: 'My agent or my number',
  complaint: 'A complaint',
  enterprise: `An offer for ${planName('enterprise')}`,
  other: 'Something else',
} as const
export type HelpTopic = keyof typeof helpTopics

export const isHelpTopic = (text: string): text is HelpTopic => Object.hasOwn(helpTopics, text)

/** The longest text of a request for help, in characters. */
export const longestHelp = 600
