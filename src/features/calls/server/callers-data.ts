import * as z from 'zod/mini'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { routes } from '#platform/domain/routes.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { contentKey, sendMail } from '#platform/server/outgoing/mail.ts'
import { site } from '#site'

/** Ends what callers have said and left, after the time that each customer has chosen: some hundred calls at a time. */
export const callersData: JobKind = {
  kind: 'callers data',
  everyMinutes: 10,
  async run(_, { supabase }) {
    const isMore = await runSql(supabase, 'end_callers_data', {}, z.boolean())
    return isMore ? 0 : undefined
  },
}

const dueMail = z.object({ email: z.string(), keep_days: z.number(), begins_at: z.string() })

/** Tells a customer from the time when all was kept what will end, and from when on. The key is the user. */
export const retentionMails: JobKind = {
  kind: 'retention mails',
  lanes: 5,
  async run({ key: account }, { supabase, env }) {
    const due = await runSql(supabase, 'due_retention_mail', { p_user_id: account }, z.nullable(dueMail))
    if (!due) return
    const begins = dayLabel(due.begins_at, 'UTC')
    const mail = {
      subject: `From ${begins} on, ${site.name} deletes what callers said after ${due.keep_days} days`,
      text: `Until now, ${site.name} kept what your callers said as long as your account. From ${begins} on, it is deleted ${due.keep_days} days after the call: transcripts, summaries, numbers, messages, and bookings that are past, here and at our voice provider.

Time, length and minutes of each call stay, and so do bookings to come.

What to do next: if ${due.keep_days} days suit you, nothing. If not, choose 30 to 365 days in the settings of your portal, and export before what you want to keep:
${env.PUBLIC_SITE_URL}${routes.portal}/settings
`,
    }
    const idempotencyKey = `retention:${contentKey(account, mail)}`
    await sendMail({ kind: 'data retention', to: due.email, ...mail, idempotencyKey }, { env, supabase })
    await runSql(supabase, 'note_retention_mail', { p_user_id: account }, z.unknown())
  },
}
