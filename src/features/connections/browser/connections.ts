import * as z from 'zod/mini'
import { accessToken } from '#account/browser/session.ts'
import {
  apiKey,
  deliveryResult,
  foundCalendars,
  webhookDelivery,
  webhookEndpoint,
  type ApiKey,
  type CalendarLogin,
  type DeliveryResult,
  type FoundCalendars,
  type KeyKind,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
} from '#connections/domain/connections.ts'
import { readOwnCalendars } from '#bookings/browser/own-calendars.ts'
import { ownCalendar, type OwnCalendar } from '#bookings/domain/own-calendar.ts'
import { invokeFunction, type FunctionFailure } from '#platform/browser/functions.ts'
import { supabase } from '#platform/browser/supabase.ts'
import type { Result } from '#platform/domain/result.ts'

/** What the customer has connected. */
export interface Connections {
  keys: ApiKey[]
  /** The webhooks and calendars. */
  endpoints: WebhookEndpoint[]
  /** The latest messages to them. */
  deliveries: WebhookDelivery[]
  /** The calendars that are read. */
  calendars: OwnCalendar[]
}

const deliveriesShown = 20

/** Reads what the customer has connected; undefined if there is no readable answer. */
export async function readConnections(): Promise<Connections | undefined> {
  const [keys, endpoints, deliveries, calendars] = await Promise.all([
    supabase().from('api_keys').select('id, kind, name, hint, created_at, last_used_at').order('created_at'),
    supabase()
      .from('webhook_endpoints')
      .select('id, url, username, events, created_at, failing_since, disabled_at')
      .order('created_at'),
    supabase()
      .from('webhook_deliveries')
      .select('id, endpoint_id, event, created_at, tries, next_try_at, delivered_at, status, problem')
      .order('created_at', { ascending: false })
      .limit(deliveriesShown),
    readOwnCalendars(),
  ])
  const connections = z.object({
    keys: z.array(apiKey),
    endpoints: z.array(webhookEndpoint),
    deliveries: z.array(webhookDelivery),
    calendars: z.array(ownCalendar),
  })
  return z.safeParse(connections, {
    keys: keys.data,
    endpoints: endpoints.data,
    deliveries: deliveries.data,
    calendars,
  }).data
}

/** Makes a key, which can be read this once; null if there are too many, undefined if it was not made. */
export async function createKey(kind: KeyKind, name: string): Promise<string | null | undefined> {
  const { data, error } = await supabase().rpc('create_api_key', { p_kind: kind, p_name: name })
  return error ? undefined : z.safeParse(z.nullable(z.string()), data).data
}

/** Makes a webhook, whose secret can be read this once; null if there are too many, undefined if it was not made. */
export async function createWebhook(
  url: string,
  events: readonly WebhookEvent[],
): Promise<{ id: string; secret: string } | null | undefined> {
  const { data, error } = await supabase().rpc('create_webhook', { p_url: url, p_events: [...events] })
  const made = z.nullable(z.object({ id: z.string(), secret: z.string() }))
  return error ? undefined : z.safeParse(made, data).data
}

/** Looks for the customer's calendars on a server. */
export async function findCalendars(login: CalendarLogin): Promise<Result<FoundCalendars, FunctionFailure>> {
  return invokeFunction('find-calendars', {
    body: login,
    answer: foundCalendars,
    accessToken: await accessToken(),
  })
}

/** Connects a calendar. Returns its id; null if there are too many, undefined if it was not connected. */
export async function connectCalendar({
  url,
  username,
  password,
  name,
}: CalendarLogin & { name: string }): Promise<string | null | undefined> {
  const login = { p_url: url, p_username: username, p_password: password, p_name: name }
  const { data, error } = await supabase().rpc('connect_calendar', login)
  return error ? undefined : z.safeParse(z.nullable(z.string()), data).data
}

/** Has bookings come as invitations. Returns its id; null if nobody has confirmed the address, undefined if it was not done. */
export async function inviteMe(): Promise<string | null | undefined> {
  const { data, error } = await supabase().rpc('invite_me')
  return error ? undefined : z.safeParse(z.nullable(z.string()), data).data
}

/** Removes a key, a webhook or a calendar. Returns whether it is gone. */
export async function removeConnection(from: 'api_keys' | 'webhook_endpoints', id: string): Promise<boolean> {
  const { error } = await supabase().from(from).delete().eq('id', id)
  return !error
}

/** Switches a webhook or a calendar on again. Returns whether it is. */
export async function enableWebhook(id: string): Promise<boolean> {
  const { error, data } = await supabase().rpc('enable_webhook', { p_id: id })
  return !error && data === true
}

/** Sends a test message to a webhook, or writes a test into a calendar. */
export async function testWebhook(endpoint: string): Promise<Result<DeliveryResult, FunctionFailure>> {
  return invokeFunction('test-webhook', {
    body: { endpoint },
    answer: deliveryResult,
    accessToken: await accessToken(),
  })
}
