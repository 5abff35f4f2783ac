import * as z from 'zod/mini'
import { booking as ownersBooking } from '#bookings/domain/booking.ts'

/** The events of which a customer's own systems can be told, and what the portal calls them. */
export const webhookEventNames = {
  'call.ended': 'A call ended',
  'booking.made': 'A booking was made',
  'booking.moved': 'A booking was moved',
  'booking.cancelled': 'A booking was cancelled',
  'message.taken': 'A message was taken',
  'limit.reached': 'The minutes are used up',
} as const
export type WebhookEvent = keyof typeof webhookEventNames
export const webhookEvents = Object.keys(webhookEventNames) as [WebhookEvent, ...WebhookEvent[]]

const keyKinds = ['api', 'calendar'] as const
export type KeyKind = (typeof keyKinds)[number]

/** A key of which only the end is known. */
export const apiKey = z.object({
  id: z.string(),
  kind: z.enum(keyKinds),
  name: z.string(),
  hint: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
})
export type ApiKey = z.infer<typeof apiKey>

export const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  /** The login name of a calendar; null for a webhook. */
  username: z.nullable(z.string()),
  events: z.array(z.enum(webhookEvents)),
  created_at: z.string(),
  failing_since: z.nullable(z.string()),
  disabled_at: z.nullable(z.string()),
})
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

/** Returns what is told of bookings: a webhook, a calendar at a login, or the account's own mail address by invitations. */
export const endpointKind = ({
  url,
  username,
}: Pick<WebhookEndpoint, 'url' | 'username'>): 'webhook' | 'calendar' | 'invitations' =>
  url.startsWith('mailto:') ? 'invitations' : username === null ? 'webhook' : 'calendar'

/** Why a message did not arrive, if there was no answer. */
export const deliveryProblems = {
  forbidden: 'not a public address',
  unreachable: 'no answer in time',
  too_large: 'the answer was too long',
} as const
const deliveryProblem = z.nullable(
  z.enum(
    Object.keys(deliveryProblems) as [keyof typeof deliveryProblems, ...(keyof typeof deliveryProblems)[]],
  ),
)

export const webhookDelivery = z.object({
  id: z.string(),
  endpoint_id: z.string(),
  event: z.enum([...webhookEvents, 'test']),
  created_at: z.string(),
  tries: z.number(),
  next_try_at: z.nullable(z.string()),
  delivered_at: z.nullable(z.string()),
  status: z.nullable(z.number()),
  problem: deliveryProblem,
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

/** A booking as integrations read it. A list has those that are booked; a message has any, with its state. */
export const booking = z.pick(ownersBooking, {
  id: true,
  call_id: true,
  state: true,
  starts_at: true,
  ends_at: true,
  people: true,
  name: true,
  about: true,
  phone_number: true,
  created_at: true,
})
export type Booking = z.infer<typeof booking>

/** What a message's delivery came to. */
export const deliveryResult = z.object({ status: z.nullable(z.number()), problem: deliveryProblem })
export type DeliveryResult = z.infer<typeof deliveryResult>

/** Returns whether an answer has taken the message. */
export const wasTaken = ({ status }: DeliveryResult): boolean =>
  status !== null && status >= 200 && status < 300

/** Says what became of a message, in a few words. */
export function deliveryLabel({ status, problem, tries, next_try_at }: Omit<WebhookDelivery, 'id'>): string {
  if (tries === 0) return 'On its way'
  if (wasTaken({ status, problem })) return `Delivered, ${status}`
  const why = problem ? deliveryProblems[problem] : `answered ${status}`
  return next_try_at ? `Failed, ${why}. It is sent again.` : `Failed, ${why}`
}

/** Sends a test message to one of the caller's webhooks. */
export const testWebhookRequest = z.object({ endpoint: z.uuid() })
export type TestWebhookRequest = z.infer<typeof testWebhookRequest>

/** A calendar server's address, and the login with which the customer's calendars are found on it. */
export const calendarLogin = z.object({
  url: z.string().check(z.maxLength(500)),
  username: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
})
export type CalendarLogin = z.infer<typeof calendarLogin>
export const foundCalendars = z.object({
  calendars: z.array(z.object({ url: z.string(), name: z.string() })),
})
export type FoundCalendars = z.infer<typeof foundCalendars>

/** The problem of the address of a webhook or a calendar, in a sentence; undefined if it has none. */
export function endpointUrlProblem(given: string): string | undefined {
  const url = URL.parse(given.trim())
  if (url?.protocol !== 'https:') return 'Enter an address that begins with https://'
  if (url.username || url.password || url.port) return 'Enter an address without a login and without a port.'
  return given.length > 500 ? 'Enter an address of at most 500 characters.' : undefined
}
