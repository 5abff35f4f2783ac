import * as z from 'zod/mini'
import { audioMimeTypes, sniffAudio, sniffedBytes } from '#agent/domain/voice/voice-sample.ts'
import { recordingBucket, recordingMaxBytes } from '#calls/domain/calls.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import { DatabaseError, runSql } from '#platform/server/database.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import type { JobKind } from '#platform/server/jobs.ts'
import { logNotice } from '#platform/server/log.ts'
import { requestPublic } from '#platform/server/public-request.ts'
import { providerCallId } from '#telephony/domain/voice-line.ts'
import type { Payloads } from '#supabase/types.ts'
import { voiceLine } from './connect-voice-line.ts'

/** The time for a download, in milliseconds. */
const timeout = 20_000

/** A call of which something is to be deleted. */
const purge = z.object({ path: z.string(), reason: z.string() }) satisfies z.ZodMiniType<
  Payloads['purge_payload']
>

/** A recording could not be copied. */
class RecordingError extends CodedError {
  override readonly name = 'RecordingError'
  constructor(reason: string, call: string) {
    super(`recording ${reason}`, { call })
  }
}

/** Copies the recording of a call from the voice provider into the bucket. Gives up after about two hours: there is none. */
export const recordings: JobKind = {
  kind: 'recordings',
  isLong: true,
  lanes: 3,
  attempts: 8,
  async run({ key: call }, { supabase, env }) {
    const path = await runSql(supabase, 'recording_to_keep', { p_call: call }, z.nullable(z.string()))
    if (path === null) return
    const files = supabase.storage.from(recordingBucket)
    const url = await (await voiceLine(env))?.recording(call)
    if (!url) throw new RecordingError('missing', call)
    const bytes = await download(url, call, env)
    const kind = sniffAudio(bytes.subarray(0, sniffedBytes))
    if (!kind) throw new RecordingError('not audio', call)
    const { error } = await files.upload(path, bytes, { contentType: audioMimeTypes[kind], upsert: true })
    if (error) throw new DatabaseError('call-recordings upload', undefined)
    const kept = { p_path: path, p_bytes: bytes.length }
    // The account was deleted meanwhile.
    if (!(await runSql(supabase, 'note_recording', kept, z.boolean()))) await files.remove([path])
  },
}

/** Has recordings deleted that are too old. */
export const oldRecordings: JobKind = {
  kind: 'old recordings',
  everyMinutes: 60,
  run: async (_, { supabase }) => void (await runSql(supabase, 'purge_old_recordings', {}, z.unknown())),
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
 * Deletes what is to be deleted of a call, here and at the voice provider. A line in the log says so. After eight days it is given
 * up, which the admin sees.
 */
export const purges: JobKind = {
  kind: 'purges',
  isLong: true,
  lanes: 3,
  attempts: 200,
  async run({ key: call, payload }, { supabase, env }) {
    const { path, reason } = z.parse(purge, payload)
    const { error } = await supabase.storage.from(recordingBucket).remove([path])
    if (error) throw new DatabaseError('call-recordings remove', undefined)
    const line = await voiceLine(env)
    if (!line && providerCallId(call)) throw new RecordingError('left at the provider', call)
    await line?.purge(call)
    logNotice('recordings', { deleted: call, because: reason })
  },
}
