import { grouped } from '#domain/grouped.ts'
import * as z from 'zod/mini'
import type { Knowledge } from '#domain/assistant/dialogue.ts'
import { ownPersona, templatePersona } from '#domain/assistant/personas.ts'
import { indexOf } from '#domain/assistant/ranking.ts'
import type { IndustryTemplateId } from '#domain/industry-templates.ts'
import { minutesLabel, planForMinutes, priceLabel } from '#domain/plans.ts'
import { routes } from '#domain/routes.ts'
import { site } from '#site'

/** Whose agent is being talked to: ours, or the one that a customer is setting up. */
export interface Role {
  template: IndustryTemplateId
  greeting?: string
}

const answers = z.array(
  z.object({ url: z.string(), title: z.string(), also: z.optional(z.array(z.string())), text: z.string() }),
)

const today = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

function advise(minutes: number): ReturnType<Knowledge['advise']> {
  const plan = planForMinutes(minutes)
  const price = plan.priceCents === null ? 'priced by contract' : `${priceLabel(plan)} a month`
  return {
    say: `That is about ${grouped(minutes)} minutes a month. ${plan.name} covers it: ${minutesLabel(plan)} minutes, ${price}.`,
    title: 'Compare the plans',
    url: plan.priceCents === null ? routes.contact : routes.pricing,
  }
}

/** @throws Error where what the site says cannot be loaded */
async function siteAnswers() {
  const response = await fetch('/assistant.json')
  if (!response.ok) throw new Error(`Answers: ${response.status}`)
  return z.parse(answers, await response.json())
}

/** What the agent knows in this role. */
export async function knowledgeFor(role: Role | undefined): Promise<Knowledge> {
  if (role) {
    const { persona, answers } = templatePersona(role.template, role.greeting)
    return { persona, index: indexOf(answers), today: today(), advise }
  }
  return { persona: ownPersona(site.name), index: indexOf(await siteAnswers()), today: today(), advise }
}
