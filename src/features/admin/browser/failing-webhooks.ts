import * as z from 'zod/mini'
import { deliveryResult } from '#connections/domain/connections.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { pageOf, span, type Page } from '#admin/browser/content/records.ts'

const failingWebhook = z.extend(deliveryResult, {
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  /** The rest of the address may be a secret. */
  host: z.string(),
  is_calendar: z.boolean(),
  failing_since: z.string(),
  disabled_at: z.nullable(z.string()),
})
export type FailingWebhook = z.infer<typeof failingWebhook>

/** Reads the customers' webhooks and calendars to which nothing arrives, those that have failed longest first. */
export const readFailingWebhooks = async (page: number): Promise<Page<FailingWebhook> | undefined> =>
  pageOf(
    failingWebhook,
    await supabase()
      .rpc('failing_webhooks')
      .range(...span(page)),
  )
