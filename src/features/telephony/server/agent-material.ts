import * as z from 'zod/mini'
import { industryTemplateIds } from '#agent/domain/industry-templates.ts'
import { parseKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { parseSetup } from '#bookings/domain/booking-setup.ts'
import { bookingTools } from '#bookings/server/booking-tools.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import { transferNumber } from '#telephony/domain/ring.ts'
import type { AgentSpec } from '#telephony/domain/voice-line.ts'

/**
 * What a customer's agent is made of (SQL: `private.agent_material`). Numbers that cost too much are among it: whoever lets them be
 * called takes them out first (domain/destinations.ts).
 */
export const agentMaterial = z.object({
  plan: z.string(),
  business: z.nullable(z.string()),
  template: z.nullable(z.enum(industryTemplateIds)),
  greeting: z.nullable(z.string()),
  knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)),
  setup: z.pipe(z.unknown(), z.transform(parseSetup)),
  record_calls: z.boolean(),
  voice: z.nullable(z.string()),
  fallback_number: z.nullable(z.string()),
  loops: z.array(z.string()),
  call_seconds: z.number(),
  silence_seconds: z.number(),
})

export const functionUrl = (name: string, env: ServerEnv): string =>
  new URL(`/.netlify/functions/${name}`, env.PUBLIC_SITE_URL).href

/** Returns what an agent is to be, on the phone and in a test of it. */
export function specOf(account: string, material: z.infer<typeof agentMaterial>, env: ServerEnv): AgentSpec {
  const { knowledge, record_calls: keepRecordings } = material
  const [first = 'en-US', ...others] = knowledge.languages
  const { greeting, prompt } = agentPrompt({ ...material, isRecorded: keepRecordings })
  return {
    account,
    greeting,
    prompt,
    languages: [first, ...others],
    timeZone: knowledge.timeZone,
    voice: material.voice,
    handOver: transferNumber(material),
    maxSeconds: material.call_seconds,
    silenceSeconds: material.silence_seconds,
    keepRecordings,
    reportsTo: functionUrl('vapi-events', env),
    tools: bookingTools(material.setup).map(({ name, description, shape }) => ({
      name,
      description,
      parameters: z.toJSONSchema(z.object(shape), { unrepresentable: 'any', io: 'input' }),
      url: functionUrl('vapi-tools', env),
    })),
  }
}
