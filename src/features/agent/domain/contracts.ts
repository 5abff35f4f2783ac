import * as z from 'zod/mini'
import { consentVersions } from '#agent/domain/voice/voice-consent.ts'

export const checkVoiceSampleRequest = z.object({
  path: z.string().check(z.maxLength(200)),
  /** The version of the sentence that the customer has agreed to. */
  consent: z.enum(consentVersions),
})
export type CheckVoiceSampleRequest = z.infer<typeof checkVoiceSampleRequest>

export const checkVoiceSampleAnswer = z.object({ checked: z.literal(true) })
export type CheckVoiceSampleAnswer = z.infer<typeof checkVoiceSampleAnswer>

export const readPageRequest = z.object({ url: z.string().check(z.minLength(1), z.maxLength(2_000)) })
export type ReadPageRequest = z.infer<typeof readPageRequest>

export const readPageAnswer = z.object({ text: z.string() })
export type ReadPageAnswer = z.infer<typeof readPageAnswer>
