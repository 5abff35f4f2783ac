import { saveAgentSettings } from './agent-settings.ts'
import { removeVoiceSample, uploadVoiceSample } from './voice-sample-files.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'
import type { VoiceUploadClients } from './voice-upload.ts'

/** Bucket, settings, page and clock, as they are on a real page. */
export const voiceUploadClients: VoiceUploadClients = {
  upload: uploadVoiceSample,
  remove: removeVoiceSample,
  save: saveAgentSettings,
  warnBeforeUnload,
  now: Date.now,
}
