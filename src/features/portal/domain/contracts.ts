import * as z from 'zod/mini'
import { emailAddress } from '#platform/domain/email.ts'

/** The e-mail is the account's, typed again, so that nobody deletes one by mistake. The bearer token says whose it is. */
export const deleteAccountRequest = z.object({ email: emailAddress })
export type DeleteAccountRequest = z.infer<typeof deleteAccountRequest>
export const deleteAccountAnswer = z.object({ deleted: z.literal(true) })
export type DeleteAccountAnswer = z.infer<typeof deleteAccountAnswer>
