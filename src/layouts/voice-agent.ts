import { env } from '#clients/env.ts'
import { voiceAgent as agentOf } from '#clients/voice-widget.ts'
import { voiceSetting } from '#domain/voice-setting.ts'

/** The page's voice agent. While somebody talks to it, the round buttons are out of the way (floating.css). */
export const agent = agentOf(
  voiceSetting(env.voiceWidget),
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
