import * as z from 'zod/mini'
import { consentVersions } from './voice-consent.ts'

export const checkVoiceSampleRequest = z.object({
  path: z.string().check(z.maxLength(200)),
  /** The version of the sentence that the customer has agreed to. */
  consent: z.enum(consentVersions),
})
export type CheckVoiceSampleRequest = z.infer<typeof checkVoiceSampleRequest>

export const checkVoiceSampleAnswer = z.object({ checked: z.literal(true) })
export type CheckVoiceSampleAnswer = z.infer<typeof checkVoiceSampleAnswer>
