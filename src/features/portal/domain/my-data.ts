import * as z from 'zod/mini'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { BlockedCaller, CallSettings } from '#telephony/domain/call-settings.ts'
import type { VoiceConsent } from '#agent/domain/voice/voice-consent.ts'
import type { ApiKey, WebhookEndpoint } from '#connections/domain/connections.ts'
import type { Booking } from '#bookings/domain/booking.ts'
import type { OwnCalendar } from '#bookings/domain/own-calendar.ts'
import type { BookingSetup } from '#bookings/domain/booking-setup.ts'
import type { Message } from '#bookings/domain/message.ts'
import type { Call } from '#calls/domain/calls.ts'
import type { KeepDays } from '#calls/domain/retention.ts'
import type { AskedQuestion } from '#calls/domain/unanswered.ts'
import type { Subscription } from '#billing/domain/subscription.ts'

/** A row of minute_ledger: minutes that were used, or credited if negative. */
export const ledgerLine = z.object({
  /** ISO 8601. */
  created_at: z.string(),
  minutes: z.number(),
  reason: z.string(),
})
export type LedgerLine = z.infer<typeof ledgerLine>

export const sentMail = z.object({ kind: z.string(), sent_at: z.string() })
export type SentMail = z.infer<typeof sentMail>

/** A customer's exported data: `data.json` in the exported file. */
export interface MyData {
  /** ISO 8601. */
  madeAt: string
  account: { id: string; email: string }
  /** Null if there is none. */
  subscription: Subscription | null
  agent: AgentSettingsRow
  /** What the agent was taught. */
  knowledge: AgentKnowledge
  callSettings: CallSettings
  blockedCallers: BlockedCaller[]
  /** For how many days what callers have said and left is kept. */
  keepDays: KeepDays
  /** The consents given for voice samples, in their order. */
  voiceConsents: VoiceConsent[]
  minutes: LedgerLine[]
  calls: Call[]
  /** What callers asked and the agent did not know. */
  questions: AskedQuestion[]
  bookings: Booking[]
  /** What callers can book. */
  bookingSetup: BookingSetup
  messages: Message[]
  /** Keys without their secrets; so are webhooks and calendars. */
  keys: ApiKey[]
  endpoints: WebhookEndpoint[]
  /** Calendars without their private addresses. */
  calendars: OwnCalendar[]
  /** What we mailed about, and when; oldest first. */
  mails: SentMail[]
}
