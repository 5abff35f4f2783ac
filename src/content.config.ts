import { defineCollection } from 'astro:content'
import { z } from 'astro/zod'
import { markdown } from '#collections/markdown.ts'
import * as schemas from '#collections/schemas.ts'
import { transcriptProblem } from '#calls/domain/transcript.ts'
import { rowVersions, siteSettings, withRows } from '#collections/database-loader.ts'

/** What editors write: one collection a folder of content/; over FAQs and demos, what the admin has written. */
export const collections = {
  faq: defineCollection({ loader: withRows('faqs', markdown('faq', schemas.faq)), schema: schemas.faq }),
  answers: defineCollection({ loader: markdown('answers', schemas.answer), schema: schemas.answer }),
  industries: defineCollection({
    loader: markdown('industries', schemas.industry),
    schema: schemas.industry,
  }),
  legal: defineCollection({ loader: markdown('legal', schemas.legal), schema: schemas.legal }),
  voices: defineCollection({
    loader: markdown('voices', schemas.voice, transcriptProblem),
    schema: schemas.voice,
  }),
  demos: defineCollection({
    loader: withRows('audio_demos', markdown('demos', schemas.demo, transcriptProblem)),
    schema: schemas.demo,
  }),
  rows: defineCollection({ loader: rowVersions(), schema: z.object({ version: z.string() }) }),
  settings: defineCollection({ loader: siteSettings(), schema: schemas.settings }),
}
