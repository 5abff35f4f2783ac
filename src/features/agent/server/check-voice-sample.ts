import * as z from 'zod/mini'
import { signedInUser } from '#account/server/signed-in-user.ts'
import type { CheckVoiceSampleAnswer, CheckVoiceSampleRequest } from '#agent/domain/contracts.ts'
import {
  sampleProblemText,
  sniffAudio,
  sniffedBytes,
  voiceSampleBucket,
} from '#agent/domain/voice/voice-sample.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'

const missing: Failure = { code: 'not_found', message: 'This recording does not exist. Upload it again.' }
const notAudio: Failure = { code: 'invalid_request', message: sampleProblemText['not-audio'] }

/**
 * Checks that the caller's recording begins as MP3, WAV or FLAC does; anything else is removed. From the first step on the
 * recording cannot be replaced, and only a checked one can become the agent's voice (SQL: `record_voice_sample_check`). The
 * consent of the person who speaks is kept with the check, so no recording becomes a voice without it.
 * @throws DatabaseError
 */
export async function checkVoiceSample(
  { path, consent }: CheckVoiceSampleRequest,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<CheckVoiceSampleAnswer>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { id } = user.value
  if (!path.startsWith(`${id}/`) || path.includes('..')) return { ok: false, failure: missing }
  const { supabase } = connected
  const record = (isAudio: boolean) =>
    runSql(
      supabase,
      'record_voice_sample_check',
      { p_user_id: id, p_path: path, p_is_audio: isAudio, p_consent_version: consent },
      z.unknown(),
    )
  await record(false)
  const bucket = supabase.storage.from(voiceSampleBucket)
  const { data } = await bucket.download(path).asStream()
  if (!data) return { ok: false, failure: missing }
  if (!sniffAudio(await headOf(data))) {
    await bucket.remove([path])
    return { ok: false, failure: notAudio }
  }
  await record(true)
  return { ok: true, value: { checked: true } }
}

/** Reads the leading bytes, and leaves the rest. */
async function headOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const head: number[] = []
  for await (const chunk of stream) {
    head.push(...chunk.subarray(0, sniffedBytes))
    if (head.length >= sniffedBytes) break
  }
  return Uint8Array.from(head)
}
