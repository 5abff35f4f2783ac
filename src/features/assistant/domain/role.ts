import { planName } from '#plans/domain/plans.ts'
import { site } from '#site'
import type { TalkPlace } from './talk.ts'

/** The agent that a visitor or a customer talks to. */
export interface Role {
  place: TalkPlace
  /** Is in the heading. */
  name: string
  /** Its first words. */
  greeting: string
  /** What a caller may say first, to choose from. */
  asks: readonly string[]
}

/** The site's own agent. */
export const siteRole: Role = {
  place: 'site',
  name: `${site.name} agent`,
  greeting: `Thanks for calling ${site.name}. I am an AI. Ask me about plans, setup or voices, or let me arrange a consultation.`,
  asks: [
    'Which plan do I need?',
    'How long does setup take?',
    'Call me back',
    `Ask about ${planName('enterprise')}`,
  ],
}
