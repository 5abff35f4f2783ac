import { createVoiceAgent } from '#assistant/browser/voice-agent.ts'
import { demoNotAvailable } from '#assistant/domain/demo-not-available.ts'
import type { VoiceSetting } from '#assistant/domain/voice-setting.ts'

/** The voice setting, which the build writes on the page's button. */
const setting = JSON.parse(
  document.querySelector<HTMLElement>('[data-voice-loaded]')!.dataset.voiceLoaded!,
) as VoiceSetting

/** The page's voice agent. During a conversation the round buttons are hidden (floating.css). */
export const agent = createVoiceAgent(
  setting,
  () => import('#assistant/ui/register.ts'),
  (event) => {
    document.documentElement.dataset.conversation = event
    if (event === 'failed') showUnavailable()
  },
)

const toasts = () => import('#platform/browser/toast.ts')

/**
 * Shows a toast that the demo is not available (specification, section 8), in the notice that code did not load if the
 * toast's own is missing.
 */
export function showUnavailable(): void {
  toasts().then(
    ({ raiseToast }) => raiseToast(demoNotAvailable),
    () => window.showNotice(demoNotAvailable.title, demoNotAvailable.description),
  )
}
