import * as z from 'zod/mini'
import { limitPolicies } from '#billing/domain/minutes/at-limit.ts'
import { emailAddress } from '#platform/domain/text/email.ts'

/**
 * The sentences that customers have agreed to before their calls were recorded, by version. A changed sentence gets a new
 * version, and the old one stays, because the database names versions.
 */
export const recordConsentTexts = {
  '2026-11':
    'Record my calls. The law that applies to me and my callers allows it, as my agent tells every caller first.',
} as const
/** The version that is asked for now. */
export const currentRecordConsent = '2026-11' satisfies keyof typeof recordConsentTexts

/** How often mails about calls are sent. */
const summaryTimes = ['at_once', 'daily', 'never'] as const

/** How a customer wants the phone to be answered, as the database keeps it. */
export const callSettings = z.object({
  paused: z.boolean(),
  limit_policy: z.enum(limitPolicies),
  /** The number, in E.164, that rings if the agent cannot answer. */
  fallback_number: z.nullable(z.string()),
  /** The customer's own number, which forwards its calls. */
  own_number: z.nullable(z.string()),
  record_calls: z.boolean(),
  record_consent_version: z.nullable(z.string()),
  /** ISO 8601; when recording was last turned on. */
  record_consent_at: z.nullable(z.string()),
  /** The e-mail addresses that are mailed about calls. */
  summaries_to: z.array(z.string()),
  summaries: z.enum(summaryTimes),
})
export type CallSettings = z.infer<typeof callSettings>

/** The settings of a customer who has not chosen any (SQL: the defaults of `call_settings`). */
export const noCallSettings: CallSettings = {
  paused: false,
  limit_policy: 'message',
  fallback_number: null,
  own_number: null,
  record_calls: false,
  record_consent_version: null,
  record_consent_at: null,
  summaries_to: [],
  summaries: 'at_once',
}

/** A caller whom the agent does not answer. */
export const blockedCaller = z.object({ phone_number: z.string(), created_at: z.string() })
export type BlockedCaller = z.infer<typeof blockedCaller>

/** How many people are mailed at most. */
export const mostAddresses = 5

type Parsed<Value> = { value: Value } | { problem: string }

/** Parses e-mail addresses separated by commas, spaces or lines. */
export function parseAddresses(typed: string): Parsed<string[]> {
  const given = typed.split(/[\s,;]+/).filter(Boolean)
  const wrong = given.find((address) => !z.safeParse(emailAddress, address).success)
  if (wrong) return { problem: `“${wrong}” is not an email address.` }
  const addresses = [...new Set(given.map((address) => emailAddress.parse(address)))]
  return addresses.length > mostAddresses
    ? { problem: `Enter ${mostAddresses} addresses at most.` }
    : { value: addresses }
}
