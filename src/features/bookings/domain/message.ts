import * as z from 'zod/mini'

/** A row of messages: what an agent was asked to pass on. */
export const message = z.object({
  id: z.string(),
  call_id: z.nullable(z.string()),
  name: z.string(),
  /** The number to ring back, as the caller said it or as it rang; null if neither. */
  phone_number: z.nullable(z.string()),
  about: z.string(),
  message: z.string(),
  is_urgent: z.boolean(),
  /** ISO 8601; null while it waits for an answer. */
  done_at: z.nullable(z.string()),
  created_at: z.string(),
})
export type Message = z.infer<typeof message>
