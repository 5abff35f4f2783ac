import * as z from 'zod/mini'
import { helpTopics, longestHelp, type HelpTopic } from '#assistant/domain/help.ts'
import { emailAddress } from '#platform/domain/text/email.ts'

/** A text on one line, without control characters, of limited length. */
const line = (longest: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(longest), z.regex(/^[^\p{Cc}\p{Cs}]+$/u))

/** The request body of create-lead: what a visitor has asked the sales agent for. */
export const createLeadRequest = z
  .object({
    /** Made by the browser for each request, so that a repeated one is recognised. */
    id: z.uuid(),
    name: line(60),
    email: z.nullable(emailAddress),
    phone: z.nullable(
      z.string().check(
        z.trim(),
        z.maxLength(24),
        z.regex(/^\+?[\d\s().-]+$/),
        z.refine((phone) => /^\d{7,15}$/.test(phone.replace(/\D/g, ''))),
      ),
    ),
    wish: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('call-back'), when: line(80) }),
      z.object({ kind: z.literal('enterprise'), need: line(300) }),
      z.object({
        kind: z.literal('help'),
        about: z.enum(Object.keys(helpTopics) as [HelpTopic]),
        need: line(longestHelp),
      }),
    ]),
    /** The path of the page on which the visitor asked. */
    page: z.string().check(z.maxLength(200), z.regex(/^\/[!-~]*$/)),
  })
  .check(z.refine(({ email, phone }) => email !== null || phone !== null, { path: ['email'] }))
export type CreateLeadRequest = z.infer<typeof createLeadRequest>

export const createLeadAnswer = z.object({ taken: z.literal(true) })
export type CreateLeadAnswer = z.infer<typeof createLeadAnswer>
