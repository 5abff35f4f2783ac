import * as z from 'zod/mini'

// The bodies of requests that Retell's API takes. Fields that are not named here are taken as they are.

const text = z.string()
const optional = z.optional
const nullish = z.nullish
const bag = z.record(z.string(), z.unknown())
const e164 = text.check(z.regex(/^\+[1-9]\d{5,14}$/))
const range = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most))

const tool = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('end_call'), name: text }),
  z.looseObject({
    type: z.literal('transfer_call'),
    name: text,
    transfer_destination: z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('predefined'), number: e164 }),
      z.looseObject({ type: z.literal('inferred'), prompt: text }),
    ]),
    transfer_option: z.looseObject({
      type: z.enum(['cold_transfer', 'warm_transfer', 'agentic_warm_transfer']),
    }),
  }),
  z.looseObject({
    type: z.literal('custom'),
    name: text,
    url: z.url(),
    timeout_ms: optional(range(1000, 600_000)),
    max_retry: optional(range(0, 5)),
  }),
])
export const engine = z.looseObject({
  model: nullish(text),
  begin_message: nullish(text),
  general_prompt: nullish(text),
  start_speaker: optional(z.enum(['user', 'agent'])),
  general_tools: nullish(z.array(tool)),
  default_dynamic_variables: nullish(z.record(z.string(), text)),
})
const locale = text.check(z.regex(/^([a-z]{2,3}-([A-Z]{2}|419)|multi)$/))
const agentFields = {
  agent_name: nullish(text),
  language: optional(z.union([locale, z.array(locale)])),
  timezone: nullish(text),
  max_call_duration_ms: optional(range(60_000, 7_200_000)),
  webhook_url: nullish(z.url()),
  webhook_events: nullish(
    z.array(z.enum(['call_started', 'call_ended', 'call_analyzed', 'transcript_updated'])),
  ),
  webhook_timeout_ms: optional(range(1000, 30_000)),
  data_storage_setting: optional(z.enum(['everything', 'everything_except_pii', 'basic_attributes_only'])),
  data_storage_retention_days: nullish(range(1, 730)),
  opt_in_signed_url: optional(z.boolean()),
  post_call_analysis_data: nullish(
    z.array(z.looseObject({ type: text, name: text, description: optional(text) })),
  ),
}
const responseEngine = z.looseObject({ type: z.literal('retell-llm'), llm_id: text })
export const newAgent = z.looseObject({ ...agentFields, response_engine: responseEngine, voice_id: text })
export const agentChange = z.looseObject({
  ...agentFields,
  response_engine: optional(responseEngine),
  voice_id: optional(text),
})
export const boundAgent = z.looseObject({
  agent_id: text,
  agent_version: optional(z.union([text, z.number()])),
  weight: range(0, 1),
})
export const numberFields = {
  inbound_agents: nullish(z.array(boundAgent)),
  inbound_webhook_url: nullish(z.url()),
  fallback_number: nullish(e164),
  nickname: nullish(text),
}
export const newNumber = z.looseObject({
  ...numberFields,
  area_code: optional(range(200, 999)),
  country_code: optional(z.enum(['US', 'CA'])),
  phone_number: optional(e164),
})
export const brought = z.looseObject({ ...numberFields, phone_number: e164, termination_uri: text })
export const newWebCall = z.looseObject({
  agent_id: text,
  agent_version: optional(z.union([text, z.number()])),
  metadata: optional(bag),
  retell_llm_dynamic_variables: optional(z.record(z.string(), text)),
  agent_override: optional(
    z.looseObject({
      agent: optional(z.looseObject({ max_call_duration_ms: agentFields.max_call_duration_ms })),
    }),
  ),
})
export const newPhoneCall = z.looseObject({
  from_number: e164,
  to_number: e164,
  override_agent_id: optional(text),
  metadata: optional(bag),
})
export const listRequest = z.looseObject({
  filter_criteria: optional(
    z.looseObject({
      query: optional(text),
      agent: optional(z.array(z.looseObject({ agent_id: text }))),
      end_timestamp: optional(z.looseObject({ type: z.literal('range'), value: z.array(z.number()) })),
    }),
  ),
  limit: optional(z.number()),
  pagination_key: optional(text),
})
