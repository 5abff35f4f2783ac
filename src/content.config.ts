import { defineCollection } from 'astro:content'
import { markdown } from './collections/markdown.ts'
import * as schemas from './collections/schemas.ts'
import { transcriptProblem } from './domain/transcript.ts'

/** What editors write: one collection a folder of content/. */
export const collections = {
  faq: defineCollection({ loader: markdown('faq', schemas.faq), schema: schemas.faq }),
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
    loader: markdown('demos', schemas.demo, transcriptProblem),
    schema: schemas.demo,
  }),
}
