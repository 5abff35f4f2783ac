import * as z from 'zod/mini'
import type { TalkPlace } from '#assistant/domain/talk.ts'
import { runSql } from '#platform/server/database.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { sendMail } from '#platform/server/outgoing/mail.ts'
import { addressHash } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import { site } from '#site'

/** Who a request to the model is made for. */
export interface Payer {
  payer: 'visitors' | 'customers'
  place: TalkPlace
  ipAddress: string | undefined
  conversation: string
}

/** What `reserve_talk` returns (SQL). */
const reserved = z.object({
  id: z.nullable(z.number()),
  refused: z.nullable(z.enum(['address', 'conversation', 'day'])),
  alarm: z.boolean(),
})

/**
 * Reserves the most that a request to the model can cost. Mails the operator once a day if most of the day's money is used.
 * @param micros in millionths of a dollar
 * @returns the reservation's id, or undefined if a limit is reached
 * @throws DatabaseError
 */
export async function reserve(
  micros: number,
  { payer, place, ipAddress, conversation }: Payer,
  connected: Services,
  defer: (task: () => Promise<unknown>) => void,
): Promise<number | undefined> {
  const { id, alarm } = await runSql(
    connected.supabase,
    'reserve_talk',
    {
      p_payer: payer,
      p_place: place,
      p_address: ipAddress ? addressHash(ipAddress, connected.env) : (null as unknown as string),
      p_conversation: conversation,
      p_micros: micros,
    },
    reserved,
  )
  if (alarm)
    defer(() =>
      sendMail(
        { kind: 'for the operator', to: connected.env.PUBLIC_ADMIN_EMAIL, ...alarmMail(payer) },
        connected,
      ),
    )
  return id ?? undefined
}

/** Replaces a reservation with what the request did cost. */
export const settle = (
  id: number,
  micros: number,
  { input, output }: { input: number; output: number },
  { supabase }: Services,
): Promise<unknown> =>
  runSql(
    supabase,
    'settle_talk',
    { p_id: id, p_micros: micros, p_input: input, p_output: output },
    z.unknown(),
  )

/** Removes the requests to the model that are older than `talk_days`. */
export const oldTalkRequests: JobKind = {
  kind: 'old talk requests',
  everyMinutes: 60,
  run: async (_, { supabase }) => void (await runSql(supabase, 'forget_talk', {}, z.unknown())),
}

const alarmMail = (payer: Payer['payer']) => ({
  subject: `${site.name}: most of today’s money for the agent on the site is used`,
  text: `Four fifths of what the language model may cost today in conversations with ${payer} are used or reserved. Once all of it is, ${payer} are offered a form in place of the agent until midnight UTC.

The limit is talk_${payer}_cents_a_day in private.settings. The function talk_usage returns what was used, day by day.
`,
})
