import { sampleColumns, type VoiceSample } from '#agent/domain/agent-settings.ts'
import { noteAgentSettings } from './agent-settings-store.ts'
import { voiceUploadClients } from './voice-upload-clients.ts'
import { createVoiceUpload, type VoiceUploadFlow } from './voice-upload.ts'

let opened: { userId: string; upload: VoiceUploadFlow } | undefined

/** The portal's upload of this customer. It outlives its tab: what is under way, or went wrong, is found there again. */
export function portalVoiceUpload(userId: string, sample: VoiceSample | null): VoiceUploadFlow {
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

function isSettled({ state }: VoiceUploadFlow): boolean {
  const { status } = state.get()
  return status === 'none' || status === 'stored'
}
