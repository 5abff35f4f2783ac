import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import { plainPage } from '#platform/server/outgoing/plain-page.ts'
import type { Services } from '#platform/server/services.ts'

/**
 * Answers the link of a mail about calls, which has the reader's token: asks once more, and ends the mails at a POST. A GET
 * changes nothing, because programs that check mails open links too.
 * @throws DatabaseError
 */
export async function stopCallMails(request: Request, { supabase }: Services): Promise<Response> {
  const token = z.safeParse(z.uuid(), new URL(request.url).searchParams.get('token')).data
  if (!token)
    return plainPage(
      404,
      'This link is not complete',
      'Open the whole link in the email, or reply to the email.',
    )
  const reader = { p_token: token }
  const hasStopped = await runSql(supabase, 'has_stopped_call_mails', reader, z.nullable(z.boolean()))
  if (hasStopped === null)
    return plainPage(
      404,
      'This link is not valid',
      'It may belong to an account that no longer exists. You get no emails through it.',
    )
  if (hasStopped)
    return plainPage(
      200,
      'You get no emails about calls',
      'You have ended them before. You can close this page.',
    )
  if (request.method !== 'POST')
    return plainPage(
      200,
      'No more emails about calls?',
      'The calls are answered as before. Only the emails to your address end.',
      '<form method="post"><button type="submit">Send me no more of them</button></form>',
    )
  await runSql(supabase, 'stop_call_mails', reader, z.unknown())
  return plainPage(200, 'You get no more emails about calls', 'You can close this page.')
}
