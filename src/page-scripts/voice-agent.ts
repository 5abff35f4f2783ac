import { createVoiceAgent } from '#assistant/browser/voice-agent.ts'
import { load } from '#platform/browser/loading.ts'
import { demoNotAvailable } from '#assistant/domain/demo-not-available.ts'
import type { VoiceSetting } from '#assistant/domain/voice-setting.ts'

/** The voice setting, which the build writes on the page's button. */
const setting = JSON.parse(
  document.querySelector<HTMLElement>('[data-voice-loaded]')!.dataset.voiceLoaded!,
) as VoiceSetting

/** The page's voice agent. During a conversation the round buttons are hidden (floating.css). */
export const agent = createVoiceAgent(
  setting,
  () => load(() => import('#assistant/ui/register.ts')),
  (event) => {
    document.documentElement.dataset.conversation = event
    if (event === 'failed') showUnavailable()
  },
)

/**
 * Shows a toast that the demo is not available (specification, section 8), or a plain notice if the toaster fails to
 * load.
 */
export function showUnavailable(): void {
  load(() => import('#platform/browser/toast.ts')).then(
    ({ raiseToast }) => raiseToast(demoNotAvailable),
    () => window.codeLoader.showNotice([demoNotAvailable.title, demoNotAvailable.description]),
  )
}
