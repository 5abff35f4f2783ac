import * as z from 'zod/mini'
import { audioMimeTypes, sniffAudio, sniffedBytes } from '#agent/domain/voice/voice-sample.ts'
import { recordingBucket, recordingMaxBytes } from '#calls/domain/calls.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { DatabaseError, runSql } from '#platform/server/database.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { requestPublic } from '#platform/server/public-request.ts'
import type { Services } from '#platform/server/services.ts'
import { providerCallId } from '#telephony/domain/voice-line.ts'
import { voiceLine } from './connect-voice-line.ts'

/** How many recordings one run copies, and of how many calls it deletes what is left. */
const perRun = { copied: 5, purged: 100 }
/** The time for a download, in milliseconds. */
const timeout = 20_000

const claimedRecording = z.nullable(z.object({ call: z.string(), path: z.string(), claim: z.string() }))
type ClaimedRecording = NonNullable<z.infer<typeof claimedRecording>>
const claimedPurge = z.nullable(
  z.object({ call: z.string(), path: z.string(), reason: z.string(), claim: z.string() }),
)

/** A recording could not be copied. */
class RecordingError extends CodedError {
  override readonly name = 'RecordingError'
  constructor(reason: string, call: string) {
    super(`recording ${reason}`, { call })
  }
}

/**
 * Copies the recording of a reported call from the voice provider into the bucket, if its customer wants recordings.
 * @returns whether it is there now
 */
export async function keepRecording(call: string, connected: Services): Promise<boolean> {
  const claimed = await runSql(connected.supabase, 'claim_recording', { p_call: call }, claimedRecording)
  return claimed !== null && copy(claimed, connected)
}

/**
 * Copies the recordings that could not be copied when their calls were reported. Deletes recordings that are too old, and
 * those of deleted accounts, here and at the voice provider.
 * @returns the calls whose recordings were copied or deleted
 */
export async function updateRecordings(connected: Services): Promise<string[]> {
  const done: string[] = []
  for (let nth = 0; nth < perRun.copied; nth++) {
    const claimed = await runSql(connected.supabase, 'claim_recording', {}, claimedRecording)
    if (!claimed) break
    if (await copy(claimed, connected)) done.push(claimed.call)
  }
  return [...done, ...(await purgeCalls(connected))]
}

async function copy({ call, path, claim }: ClaimedRecording, connected: Services): Promise<boolean> {
  const { supabase, env } = connected
  const end = (bytes: number | null) =>
    runSql(supabase, 'end_recording', { p_path: path, p_claim: claim, p_bytes: bytes }, z.boolean())
  const files = supabase.storage.from(recordingBucket)
  try {
    const url = await (await voiceLine(env))?.recording(call)
    if (!url) throw new RecordingError('missing', call)
    const bytes = await download(url, call, env)
    const kind = sniffAudio(bytes.subarray(0, sniffedBytes))
    if (!kind) throw new RecordingError('not audio', call)
    const { error } = await files.upload(path, bytes, { contentType: audioMimeTypes[kind], upsert: true })
    if (error) throw new DatabaseError('call-recordings upload', undefined)
    if (await end(bytes.length)) return true
    // The account was deleted meanwhile.
    await files.remove([path])
    return false
  } catch (error) {
    logFailure('recordings', error)
    await end(null)
    return false
  }
}

/**
 * Loads a recording. A URL under the address that the operator has set for the voice provider's API is requested as it
 * is; any other has to be on the public internet.
 */
async function download(url: string, call: string, env: ServerEnv): Promise<Uint8Array> {
  const api = env.VAPI_API_URL
  if (api && URL.parse(url)?.origin === new URL(api).origin) {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeout) })
    if (!response.ok || !response.body) throw new RecordingError(`status ${response.status}`, call)
    return readWhole(response.body, call)
  }
  const answer = await requestPublic(url, { timeout, limit: recordingMaxBytes, redirects: 3 })
  if (!answer.ok) throw new RecordingError(answer.problem, call)
  if (answer.status !== 200) throw new RecordingError(`status ${answer.status}`, call)
  return answer.bytes
}

async function readWhole(body: ReadableStream<Uint8Array>, call: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > recordingMaxBytes) throw new RecordingError('too_large', call)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Deletes what is to be deleted of calls, here and at the voice provider. A line in the log says so for each.
 * @returns the calls
 */
export async function purgeCalls({ supabase, env }: Services): Promise<string[]> {
  const purged: string[] = []
  for (let nth = 0; nth < perRun.purged; nth++) {
    const claimed = await runSql(supabase, 'claim_call_purge', {}, claimedPurge)
    if (!claimed) break
    const { call, path, reason, claim } = claimed
    const end = (isGone: boolean) =>
      runSql(supabase, 'end_call_purge', { p_call: call, p_claim: claim, p_is_gone: isGone }, z.unknown())
    try {
      const { error } = await supabase.storage.from(recordingBucket).remove([path])
      if (error) throw new DatabaseError('call-recordings remove', undefined)
      const line = await voiceLine(env)
      if (!line && providerCallId(call)) throw new RecordingError('left at the provider', call)
      await line?.purge(call)
      await end(true)
      logNotice('recordings', { deleted: call, because: reason })
      purged.push(call)
    } catch (error) {
      logFailure('recordings', error)
      await end(false)
    }
  }
  return purged
}
