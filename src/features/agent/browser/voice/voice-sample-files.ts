import { checkVoiceSampleAnswer, type CheckVoiceSampleRequest } from '#agent/domain/contracts.ts'
import { currentConsent } from '#agent/domain/voice/voice-consent.ts'
import { voiceSampleBucket } from '#agent/domain/voice/voice-sample.ts'
import { reportPermissionDenied } from '#platform/browser/permission-errors.ts'
import { env } from '#platform/browser/env.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import { accessToken } from '#account/browser/session.ts'
import { filesOf } from '#platform/browser/supabase.ts'

/** An upload without progress for so long is aborted, so that it can be tried again. */
const stallTimeoutMs = 60_000

export type UploadOutcome =
  { ok: true } | { ok: false; reason: 'signed-out' | 'refused' | 'unreachable' | 'aborted' }

interface Upload {
  /** The path in the bucket, without a leading slash. */
  path: string
  file: Blob
  /** Without parameters. */
  mimeType: string
  signal: AbortSignal
  /** Called with the number of bytes sent so far. */
  onProgress: (sent: number) => void
}

/**
 * Uploads a recording to the customer's folder. It uses XMLHttpRequest, because fetch does not report how much of a
 * request was sent.
 */
async function uploadVoiceSample(upload: Upload): Promise<UploadOutcome> {
  const token = await accessToken()
  if (token === undefined) return { ok: false, reason: 'signed-out' }
  if (upload.signal.aborted) return { ok: false, reason: 'aborted' }
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    let stalled: ReturnType<typeof setTimeout>
    const watch = (): void => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), stallTimeoutMs)
    }
    const abort = (): void => request.abort()
    const end = (outcome: UploadOutcome): void => {
      clearTimeout(stalled)
      upload.signal.removeEventListener('abort', abort)
      resolve(outcome)
    }
    request.upload.onprogress = ({ loaded }) => {
      watch()
      upload.onProgress(loaded)
    }
    request.onload = () =>
      end(request.status >= 200 && request.status < 300 ? { ok: true } : refusal(request.status))
    request.onerror = () => end({ ok: false, reason: 'unreachable' })
    request.onabort = () => end({ ok: false, reason: upload.signal.aborted ? 'aborted' : 'unreachable' })
    upload.signal.addEventListener('abort', abort)

    request.open('POST', objectUrl(upload.path))
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('apikey', env.supabaseKey)
    request.setRequestHeader('content-type', upload.mimeType)
    watch()
    request.send(upload.file)
  })
}

function refusal(status: number): UploadOutcome {
  if (status === 401) return { ok: false, reason: 'signed-out' }
  if (status >= 500) return { ok: false, reason: 'unreachable' }
  reportPermissionDenied()
  return { ok: false, reason: 'refused' }
}

function objectUrl(path: string): string {
  const name = path.split('/').map(encodeURIComponent).join('/')
  return `${new URL(env.supabaseUrl, location.origin).href.replace(/\/$/, '')}/storage/v1/object/${voiceSampleBucket}/${name}`
}

/**
 * Uploads a recording whose speaker has agreed, and has the server check that it is audio: only then it can become the
 * agent's voice. The server removes anything else, and keeps the consent.
 */
export async function uploadCheckedSample(upload: Upload): Promise<UploadOutcome> {
  const uploaded = await uploadVoiceSample(upload)
  if (!uploaded.ok) return uploaded
  const checked = await invokeAsUser(
    'check-voice-sample',
    { path: upload.path, consent: currentConsent } satisfies CheckVoiceSampleRequest,
    checkVoiceSampleAnswer,
  )
  if (checked.ok) return { ok: true }
  return { ok: false, reason: checked.failure.code === 'invalid_request' ? 'refused' : 'unreachable' }
}

/** Downloads a recording from the bucket; null if that fails. */
export async function downloadVoiceSample(path: string): Promise<Blob | null> {
  const answer = await (await filesOf(voiceSampleBucket))?.download(path)
  return answer?.data ?? null
}

/** Deletes a recording from the bucket. Returns whether that succeeded. */
export async function removeVoiceSample(path: string): Promise<boolean> {
  const answer = await (await filesOf(voiceSampleBucket))?.remove([path])
  return answer?.error === null
}
