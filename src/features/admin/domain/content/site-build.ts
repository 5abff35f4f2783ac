import * as z from 'zod/mini'
import { audioDemo, faqEntry } from './admin-data.ts'

/** The settings that the site's pages show. Null means the brand's own address, or no notice. */
const shownSettings = z.object({
  contactEmail: z.nullable(z.string()),
  maintenanceNotice: z.nullable(z.string()),
})
export type ShownSettings = z.infer<typeof shownSettings>

/**
 * The content of `/build.json`: the published FAQs and demos, and the version of every database row that they were
 * built from, tombstones included (`faqs/<id>`, `audio_demos/<id>`).
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
