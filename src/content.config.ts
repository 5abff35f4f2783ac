import { defineCollection } from 'astro:content'
import { z } from 'astro/zod'
import { markdown, hiddenPage } from '#collections/markdown.ts'
import * as schemas from '#collections/schemas.ts'
import { transcriptProblem } from '#calls/domain/transcript.ts'
import { rowVersions, siteSettings, withRows } from '#collections/database-loader.ts'

/**
 * The content collections: one for each folder of content/. In FAQs and demos, the admin's rows in the database replace
 * entries with the same id.
 */
export const collections = {
  faq: defineCollection({ loader: withRows('faqs', markdown('faq', schemas.faq)), schema: schemas.faq }),
  answers: defineCollection({ loader: markdown('answers', schemas.answer), schema: schemas.answer }),
  industries: defineCollection({
    loader: markdown('industries', schemas.industry),
    schema: schemas.industry,
  }),
  legal: defineCollection({
    loader: markdown('legal', schemas.legal, undefined, hiddenPage('guides')),
    schema: schemas.legal,
  }),
  guides: defineCollection({
    loader: markdown('guides', schemas.legal, undefined, hiddenPage('legal')),
    schema: schemas.legal,
  }),
  voices: defineCollection({
    loader: markdown('voices', schemas.voice, transcriptProblem),
    schema: schemas.voice,
  }),
  demos: defineCollection({
    loader: withRows('audio_demos', markdown('demos', schemas.demo, transcriptProblem)),
    schema: schemas.demo,
  }),
  rows: defineCollection({
    loader: rowVersions(),
    schema: z.object({ versions: z.record(z.string(), z.string()) }),
  }),
  settings: defineCollection({ loader: siteSettings(), schema: schemas.settings }),
}
