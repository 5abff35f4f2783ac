import * as z from 'zod/mini'
import { stateNames } from '#bookings/domain/booking.ts'
import { shownOutside } from '#bookings/domain/shown-outside.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'
import { linkToken, readBusiness, readLinked, type LinkedBooking } from './linked-booking.ts'

const says: Record<LinkedBooking['state'], (business: string) => string> = {
  booked: () => 'It is booked.',
  requested: (business) =>
    `It is noted as a request. It is booked once ${business} confirms it; you get an email then.`,
  declined: (business) => `${business} cannot do it at this time. It is not booked.`,
  cancelled: () => 'It is cancelled.',
}

/**
 * Mails a caller whose address is known how the booking stands, and its owner what the caller has changed by the link. The key is
 * the booking's id; the owner's has `:owner` after it.
 */
export const bookingMails: JobKind = {
  kind: 'booking mails',
  lanes: 5,
  async run({ key }, { supabase, env }) {
    const [id = '', isOwners] = key.split(':')
    const found = await readLinked(id, supabase)
    if (!found) return
    const { state, about, name, people, email } = shownOutside(found, found.trade)
    const business = found.business ?? 'The business'
    const { when } = await readBusiness(found, supabase)
    const what = [about, when, people > 1 && `${people} people`, name && `for ${name}`]
      .filter(Boolean)
      .join(', ')
    const headed = found.is_proposed ? 'Another time' : stateNames[state]
    const subject = `${headed}: ${[about, when].filter(Boolean).join(', ')}`
    if (isOwners) {
      const text = `A caller has changed a booking by the link in the email about it. It stands so now:

${headed}: ${what}

All bookings are in your portal:
${env.PUBLIC_SITE_URL}${routes.portal}/bookings
`
      const idempotencyKey = `booking:${contentKey(key, subject, text)}`
      return sendMail(
        { kind: 'booking changed', to: found.owner, subject, text, idempotencyKey },
        { env, supabase },
      )
    }
    if (email === null) return
    const proposal = `${business} cannot do the time that you asked for, and proposes another one. It is booked once you accept it by the link.`
    const text = `${found.is_proposed ? proposal : says[state](business)}

${what}
At: ${business}

${found.is_proposed ? 'Accept, move' : 'See, move'} or cancel it here, until it is over:
${env.PUBLIC_SITE_URL}/b/${linkToken(id, env)}

You get this email because somebody gave this address when booking on the phone. ${business} answers questions: call there.
`
    const idempotencyKey = `booking:${contentKey(key, subject, text)}`
    await sendMail({ kind: 'booking', to: email, subject, text, idempotencyKey }, { env, supabase })
    const told = { p_booking: id, p_state: state, p_starts_at: found.starts_at }
    await runSql(supabase, 'note_mailed_booking', told, z.unknown())
  },
}
