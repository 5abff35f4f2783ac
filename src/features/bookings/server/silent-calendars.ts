import * as z from 'zod/mini'
import { calendarProblems, ownCalendar } from '#bookings/domain/own-calendar.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'

/** A calendar that does not answer, and its owner (SQL: `silent_calendar`). */
const silentCalendar = z.extend(
  z.pick(ownCalendar, { name: true, if_silent: true, failing_since: true, problem: true }),
  { email: z.string() },
)
type SilentCalendar = z.infer<typeof silentCalendar>

/** Mails an owner whose calendar has not answered for hours, once until it answers. */
export const silentCalendarMails: JobKind = {
  kind: 'silent calendar mails',
  async run({ key }, { supabase, env }) {
    const silent = await runSql(supabase, 'silent_calendar', { p_calendar: key }, z.nullable(silentCalendar))
    if (!silent) return
    const mail = mailOf(silent, env.PUBLIC_SITE_URL)
    const idempotencyKey = `silent:${contentKey(`${key}:${silent.failing_since}`, mail)}`
    await sendMail({ kind: 'calendar silent', to: silent.email, ...mail, idempotencyKey }, { env, supabase })
  },
}

function mailOf({ name, if_silent, problem }: SilentCalendar, siteUrl: string) {
  const does = {
    message: 'Until it answers, your agent books nothing that the calendar belongs to, and takes messages.',
    mark: 'Your agent goes on to book, and marks each booking so that you can compare it with your calendar.',
  }[if_silent]
  return {
    subject: `Your calendar ${name} cannot be read`,
    text: `Your calendar ${name} could not be read for six hours: ${calendarProblems[problem ?? 'unreachable']}. ${does}

What to do next: see what is wrong with it under Connections in your portal. If its password has changed, connect it again with the new one; if its address has, remove it and connect the new one:
${siteUrl}${routes.portal}/connections
`,
  }
}
