import * as z from 'zod/mini'
import { sentMail, type SentMail } from '#portal/domain/my-data.ts'
import { allRows } from '#platform/browser/storage/all-rows.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Reads which mails the signed-in customer was sent, oldest first; undefined without a readable answer. */
export async function readSentMails(): Promise<SentMail[] | undefined> {
  const rows = await allRows<unknown>((from, to) => supabase().rpc('my_mails').range(from, to))
  return z.safeParse(z.array(sentMail), rows).data
}
