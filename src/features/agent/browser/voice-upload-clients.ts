import { saveAgentSettings } from './agent-settings.ts'
import { removeVoiceSample, uploadCheckedSample } from './voice-sample-files.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'
import type { VoiceUploadClients } from './voice-upload.ts'

/** The clients of a real page: bucket, settings, browser and clock. */
export const voiceUploadClients: VoiceUploadClients = {
  upload: uploadCheckedSample,
  remove: removeVoiceSample,
  save: saveAgentSettings,
  warnBeforeUnload,
  now: Date.now,
}
