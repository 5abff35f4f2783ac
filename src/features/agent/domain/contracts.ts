import * as z from 'zod/mini'

export const checkVoiceSampleRequest = z.object({ path: z.string().check(z.maxLength(200)) })
export type CheckVoiceSampleRequest = z.infer<typeof checkVoiceSampleRequest>

export const checkVoiceSampleAnswer = z.object({ checked: z.literal(true) })
export type CheckVoiceSampleAnswer = z.infer<typeof checkVoiceSampleAnswer>
