import type { IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import { planName } from '#plans/domain/plans.ts'
import { site } from '#site'
import type { Persona } from '#assistant/domain/dialogue/dialogue.ts'

/** A customer's agent that is being tried out. */
export interface Role {
  template: IndustryTemplateId
  /** The name of the business, if the customer has given it. */
  business?: string
  greeting?: string
  /** The agent's prompt, which has what the customer has taught it. It takes the place of the template's answers. */
  prompt?: string
}

/** Returns the name in the heading of a conversation. */
export const agentName = (role: Role | undefined): string =>
  role ? (role.business ? `${role.business} agent` : 'Your agent') : `${site.name} agent`

/** Returns the persona of this site's own agent. */
export const ownPersona = (brand: string): Persona => ({
  greeting: `Thanks for calling ${brand}. Ask me about plans, setup or voices, or let me book you a consultation.`,
  books: 'a consultation',
  team: 'our team',
  openers: ['Book a time', 'Which plan do I need?', 'Call me back', `Ask about ${planName('enterprise')}`],
})
