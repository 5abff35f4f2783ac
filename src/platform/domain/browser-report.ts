import * as z from 'zod/mini'

const text = (limit: number) => z.string().check(z.maxLength(limit))

/** What a page says of an error in it. The function takes out what may be personal. */
export const browserReport = z.object({
  name: text(100),
  message: text(1_000),
  stack: text(4_000),
  /** The path of the page. */
  page: text(200),
})
export type BrowserReport = z.infer<typeof browserReport>

const optionalText = z.nullish(z.string())

/** What a browser says of what a page's content policy refused, in the format of `report-uri`. */
export const policyReport = z.object({
  'csp-report': z.object({
    'document-uri': z.string(),
    'blocked-uri': optionalText,
    'effective-directive': optionalText,
    'violated-directive': optionalText,
    'source-file': optionalText,
    'line-number': z.nullish(z.number()),
  }),
})
export type PolicyReport = z.infer<typeof policyReport>
