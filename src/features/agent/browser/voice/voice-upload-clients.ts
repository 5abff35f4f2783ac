import type { ConversionProblem } from '#agent/domain/voice/voice-sample.ts'
import type { Result } from '#platform/domain/result.ts'
import { removeVoiceSample, uploadCheckedSample } from './voice-sample-files.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'
import { type VoiceUploadClients, createVoiceUpload, type VoiceUploadStore } from './voice-upload.ts'
import { sampleColumns, type VoiceSample } from '#agent/domain/agent-settings.ts'
import { noteAgentSettings, saveAgentSettings } from '#agent/browser/agent-settings-store.ts'

async function convert(file: File): Promise<Result<File, ConversionProblem>> {
  try {
    const { convertToWav } = await import('./convert-to-wav.ts')
    return await convertToWav(file)
  } catch {
    return { ok: false, failure: 'converter-unreachable' }
  }
}

/** The clients of a real page: bucket, settings, browser and clock. */
export const voiceUploadClients: VoiceUploadClients = {
  upload: uploadCheckedSample,
  convert,
  remove: removeVoiceSample,
  save: saveAgentSettings,
  warnBeforeUnload,
  now: Date.now,
}

let opened: { userId: string; upload: VoiceUploadStore } | undefined

/** Returns the portal's upload of this customer. It outlives its tab: an upload in progress or failed is still there later. */
export function portalVoiceUpload(userId: string, sample: VoiceSample | null): VoiceUploadStore {
  if (opened?.userId === userId && !isSettled(opened.upload)) return opened.upload
  const upload = createVoiceUpload({
    userId,
    sample,
    clients: voiceUploadClients,
    onChange: (changed) => noteAgentSettings(sampleColumns(changed)),
  })
  opened = { userId, upload }
  return upload
}

function isSettled({ state }: VoiceUploadStore): boolean {
  const { status } = state.get()
  return status === 'none' || status === 'stored'
}
