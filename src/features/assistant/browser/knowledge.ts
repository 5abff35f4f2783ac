import { grouped } from '#platform/domain/text/numbers.ts'
import type { Knowledge } from '#assistant/domain/dialogue/dialogue.ts'
import { indexOf, type Answer } from '#assistant/domain/dialogue/ranking.ts'
import { ownPersona, type Role } from '#assistant/domain/role.ts'
import { cheapestFor, offerName } from '#plans/domain/minutes-offer.ts'
import { minutesLabel, wholePrice } from '#plans/domain/plans.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'

const today = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** Returns a random UUID, also on a page without HTTPS, which has no `crypto.randomUUID`. */
function newId(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-')
}

function advise(minutes: number): ReturnType<NonNullable<Knowledge['advise']>> {
  const offer = cheapestFor(minutes)
  const { plan, packages, cents } = offer
  const price = cents === null ? 'priced by contract' : `${wholePrice(cents)} a month`
  const included = packages === 0 ? minutesLabel(plan) : grouped(offer.minutes)
  return {
    say: `That is about ${grouped(minutes)} minutes a month. ${offerName(offer)} covers it: ${included} minutes, ${price}.`,
    title: cents === null ? 'Talk to us about it' : 'Compare the plans',
    url: cents === null ? routes.contact : routes.pricing,
  }
}

/**
 * Fetches the answers, which belong to the same build as the page (pages/assistant.json.ts).
 * @throws Error if they cannot be loaded
 */
async function fetchSiteAnswers(): Promise<readonly Answer[]> {
  const response = await fetch('/assistant.json')
  if (!response.ok) throw new Error(`Answers: ${response.status}`)
  return (await response.json()) as Answer[]
}

// Only a customer's test needs these two, so no other conversation loads them.
const personaOf = async (role: Role) => (await import('#assistant/domain/personas.ts')).templatePersona(role)
const taughtIn = async (prompt: string): Promise<Answer[]> =>
  (await import('#assistant/domain/prompt-answers.ts')).answersInPrompt(prompt)

/** Returns what the agent knows in this role. Without a role, the site's own agent answers. */
export async function knowledgeFor(role: Role | undefined): Promise<Knowledge> {
  const common = { today: today(), newId }
  if (role) {
    const { persona, answers } = await personaOf(role)
    const taught = role.prompt ? await taughtIn(role.prompt) : []
    const untaught = answers.filter(({ title }) => !taught.some((answer) => answer.title === title))
    return { ...common, persona, index: indexOf([...taught, ...untaught]) }
  }
  return { ...common, persona: ownPersona(site.name), index: indexOf(await fetchSiteAnswers()), advise }
}
