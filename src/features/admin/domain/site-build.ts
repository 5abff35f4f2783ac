import * as z from 'zod/mini'
import { audioDemo, faqEntry } from './admin-data.ts'

/** What the admin sets for the whole site, as far as its pages show it. Null: the brand's own address; no notice. */
export const shownSettings = z.object({
  contactEmail: z.nullable(z.string()),
  maintenanceNotice: z.nullable(z.string()),
})
export type ShownSettings = z.infer<typeof shownSettings>

/**
 * What `/build.json` says of the pages it was built with: FAQs and demos as they are published, and the version of
 * every row of the database that went into them, tombstones included (`faqs/<id>`, `audio_demos/<id>`).
 */
export const siteBuild = z.object({
  /** ISO 8601. */
  builtAt: z.string(),
  faqs: z.array(faqEntry),
  demos: z.array(audioDemo),
  settings: shownSettings,
  rows: z.record(z.string(), z.string()),
})
export type SiteBuild = z.infer<typeof siteBuild>
