import * as z from 'zod/mini'

/**
 * The sentences that customers have agreed to before a recording was uploaded, by version. A changed sentence gets a new
 * version, and the old one stays, because the database names versions.
 */
export const consentTexts = {
  '2026-11': 'The voice is mine, or the person who speaks has agreed in writing that an AI agent uses it.',
} as const

type ConsentVersion = keyof typeof consentTexts
export const consentVersions = Object.keys(consentTexts) as [ConsentVersion, ...ConsentVersion[]]
/** The version that is asked for now. */
export const currentConsent: ConsentVersion = '2026-11'

/** The consent to one recording, as the database keeps it. */
export const voiceConsent = z.object({
  /** The path of the recording in the bucket. */
  path: z.string(),
  consent_version: z.string(),
  /** ISO 8601. */
  consented_at: z.string(),
})
export type VoiceConsent = z.infer<typeof voiceConsent>
