import { saveAgentSettings } from '#clients/agent-settings.ts'
import { removeVoiceSample, uploadVoiceSample } from '#clients/files.ts'
import { page } from '#clients/page.ts'
import type { VoiceUploadClients } from './voice-upload.ts'

/** Bucket, settings, page and clock, as they are on a real page. */
export const voiceUploadClients: VoiceUploadClients = {
  upload: uploadVoiceSample,
  remove: removeVoiceSample,
  save: saveAgentSettings,
  holdPage: page.hold,
  now: Date.now,
}
