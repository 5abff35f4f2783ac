import { existsSync } from 'node:fs'
import { z } from 'astro/zod'
import { industryColours, industryIcons } from '#marketing/domain/industries.ts'
import { roiRule, parseNumber, type RoiField } from '#marketing/domain/roi/roi.ts'

// The schemas of the content files' front matter (docs/content.md). An unknown field is an error.

const text = z.string().trim().min(1, 'is empty.')
const order = z.number().default(Number.MAX_SAFE_INTEGER)
const description = text.max(180, 'is longer than the 180 characters that search engines show.')
const audio = text.refine((path) => /^\/audio\/.+\.mp3$/.test(path) && existsSync(`public${path}`), {
  error: ({ input }) =>
    `must name a file in public/audio, such as /audio/hotel.mp3; there is no ${String(input)}.`,
})
const seconds = z.number().positive('must be above 0.')

const roiNumber = (field: RoiField) =>
  z.number().refine((value) => parseNumber(field, String(value)) === value, `must be ${roiRule(field)}.`)

/** Other wordings of the question, for the voice agent. */
const also = z.array(text).optional()

export const faq = z.strictObject({ question: text, order, also })

/** An answer of the voice agent besides the FAQ and the industries, and the page that contains it. */
export const answer = z.strictObject({
  question: text,
  page: text.regex(/^\//, 'must begin with a slash.'),
  also,
})

export const industry = z.strictObject({
  name: text,
  description,
  order,
  also,
  /** The default is blue (specification, section 2). */
  colour: z.enum(industryColours).default('blue'),
  icon: z.enum(industryIcons),
  rack: z.strictObject({
    labels: z.array(z.coerce.string().min(1)).length(12, 'must have 12 entries, one for each jack.'),
    plugged: z.number().int().min(1, 'must be 1 to 12.').max(12, 'must be 1 to 12.'),
  }),
  uses: z
    .array(z.strictObject({ title: text, quote: text, answer: text }))
    .min(1, 'must have at least one entry.'),
  /** The lines of an example call. A page with a demo shows its transcript instead. */
  call: z.array(z.string().regex(/^(Caller|Agent): /, 'must begin with "Caller: " or "Agent: ".')).optional(),
  /** The recording of that call (local/audio/record.ts). */
  recording: z.strictObject({ title: text, description: text, audio, seconds }).optional(),
  /** The numbers that the page's calculator starts with. */
  calculator: z.strictObject({ calls: roiNumber('calls'), minutes: roiNumber('minutes') }).optional(),
  /** The id of the page's demo, in content/demos. */
  demo: text
    .refine((id) => existsSync(`content/demos/${id}.md`), {
      error: ({ input }) => `must name a file in content/demos; there is no ${String(input)}.md.`,
    })
    .optional(),
})

export const legal = z.strictObject({
  title: text,
  description,
  lead: text,
  order,
  /** Whether the sections have numbers. */
  numbered: z.boolean().default(true),
})

export const voice = z.strictObject({ name: text, order, audio, seconds, summary: text })

/** An audio demo (specification, section 3). */
export const demo = z.strictObject({
  industry: text,
  title: text,
  description: text.optional(),
  audio,
  seconds,
})

/** The admin's settings for the whole site. */
export const settings = z.object({
  contactEmail: z.string().nullable(),
  maintenanceNotice: z.string().nullable(),
})
