import { voiceAgent as agentOf } from '#clients/voice-widget.ts'
import type { VoiceSetting } from '#domain/voice-setting.ts'

/** Read at build, and written on the page's button. */
const setting = JSON.parse(
  document.querySelector<HTMLElement>('[data-voice-loaded]')!.dataset.voiceLoaded!,
) as VoiceSetting

/** The page's voice agent. While somebody talks to it, the round buttons are out of the way (floating.css). */
export const agent = agentOf(
  setting,
  () => import('#islands/assistant/register.ts'),
  (event) => {
    document.documentElement.dataset.conversation = event
    if (event === 'failed') void sayMissing()
  },
)

export async function sayMissing(): Promise<void> {
  const [{ raiseToast }, { toasts }] = await Promise.all([
    import('#stores/toast.ts'),
    import('#domain/toasts.ts'),
  ])
  raiseToast(toasts.demoNotAvailable)
}
