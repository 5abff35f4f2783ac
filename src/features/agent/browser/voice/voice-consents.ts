import * as z from 'zod/mini'
import { voiceConsent, type VoiceConsent } from '#agent/domain/voice/voice-consent.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Reads the consents that this customer has given; undefined without a readable answer. */
export async function readVoiceConsents(userId: string): Promise<VoiceConsent[] | undefined> {
  const { data, error } = await supabase()
    .from('voice_sample_checks')
    .select('path, consent_version, consented_at')
    .eq('user_id', userId)
    .order('consented_at')
  return error ? undefined : z.safeParse(z.array(voiceConsent), data).data
}
