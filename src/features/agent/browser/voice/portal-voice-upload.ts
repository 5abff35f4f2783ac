import { sampleColumns, type VoiceSample } from '#agent/domain/agent-settings.ts'
import { noteAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { voiceUploadClients } from './voice-upload-clients.ts'
import { createVoiceUpload, type VoiceUploadFlow } from './voice-upload.ts'

let opened: { userId: string; upload: VoiceUploadFlow } | undefined

/** Returns the portal's upload of this customer. It outlives its tab: an upload in progress or failed is still there later. */
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
