import * as z from 'zod/mini'
import { emailAddress } from '#platform/domain/text/email.ts'

/** Deletes the account of the bearer token. The e-mail address is typed again, so that nobody does it by mistake. */
export const deleteAccountRequest = z.object({ email: emailAddress })
export type DeleteAccountRequest = z.infer<typeof deleteAccountRequest>
export const deleteAccountAnswer = z.object({ deleted: z.literal(true) })
export type DeleteAccountAnswer = z.infer<typeof deleteAccountAnswer>
