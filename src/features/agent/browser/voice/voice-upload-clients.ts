import type { ConversionProblem } from '#agent/domain/voice/voice-sample.ts'
import type { Result } from '#platform/domain/result.ts'
import { saveAgentSettings } from '#agent/browser/agent-settings.ts'
import { removeVoiceSample, uploadCheckedSample } from './voice-sample-files.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'
import type { VoiceUploadClients } from './voice-upload.ts'

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
