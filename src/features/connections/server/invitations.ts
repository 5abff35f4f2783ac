import * as z from 'zod/mini'
import { shownOutside } from '#bookings/domain/shown-outside.ts'
import { invitationOf } from '#bookings/server/icalendar.ts'
import { readBusiness, readLinked } from '#bookings/server/linked-booking.ts'
import type { DeliveryResult } from '#connections/domain/connections.ts'
import { routes } from '#platform/domain/routes.ts'
import { logFailure } from '#platform/server/log.ts'
import { contentKey, MailError, sendMail } from '#platform/server/outgoing/mail.ts'
import type { Services } from '#platform/server/services.ts'
import { testEvent } from './written-events.ts'

const headings = {
  'booking.made': 'Booked',
  'booking.moved': 'Moved',
  'booking.cancelled': 'Cancelled',
  test: 'Test',
} as const
const message = z.object({
  type: z.enum(Object.keys(headings) as (keyof typeof headings)[]),
  timestamp: z.string(),
  data: z.nullable(z.object({ id: z.optional(z.string()) })),
})

/**
 * Mails a booking, as it stands now, to its owner as an invitation. Mails nothing once it is over, or if a later message says what
 * has become of it.
 * @param url `mailto:` and the address
 * @param body of the message about the booking, as it would be sent to a webhook
 */
export async function invite(
  { id, url, body }: { id: string; url: string; body: string },
  { env, supabase }: Services,
): Promise<DeliveryResult> {
  const { type, timestamp, data } = message.parse(JSON.parse(body))
  const found = data?.id === undefined ? null : await readLinked(data.id, supabase)
  const booking = found ? shownOutside(found, found.trade) : type === 'test' ? testEvent(id) : null
  const method = type === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
  if (!booking || (booking.state === 'booked') !== (method === 'REQUEST'))
    return { status: 204, problem: null }
  const to = url.slice('mailto:'.length)
  const { name, about, people, phone_number } = booking
  const when = found && (await readBusiness(found, supabase)).when
  const subject = `${headings[type]}: ${[about, name, when].filter(Boolean).join(', ')}`
  const text = `${[about, name, when, people > 1 && `${people} people`, phone_number].filter(Boolean).join('\n')}

Your calendar enters this by itself, or once you accept the invitation. What you change or decline there is not read here: move or cancel a booking in your portal.
${env.PUBLIC_SITE_URL}${routes.portal}/bookings
`
  const event = { method, icalendar: invitationOf(booking, { method, to, at: timestamp }) } as const
  const idempotencyKey = `invitation:${contentKey(id, subject, text, event)}`
  try {
    await sendMail({ kind: 'invitation', to, subject, text, idempotencyKey, event }, { env, supabase })
    return { status: 200, problem: null }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    logFailure('webhooks', error)
    return { status: null, problem: 'unreachable' }
  }
}
