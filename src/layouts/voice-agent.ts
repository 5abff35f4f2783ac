import { voiceAgent as agentOf } from '#clients/voice-widget.ts'
import { load } from '#clients/loading.ts'
import { demoNotAvailable } from '#domain/demo-not-available.ts'
import type { VoiceSetting } from '#domain/voice-setting.ts'

/** Read at build, and written on the page's button. */
const setting = JSON.parse(
  document.querySelector<HTMLElement>('[data-voice-loaded]')!.dataset.voiceLoaded!,
) as VoiceSetting

/** The page's voice agent. While somebody talks to it, the round buttons are out of the way (floating.css). */
export const agent = agentOf(
  setting,
  () => load(() => import('#islands/assistant/register.ts')),
  (event) => {
    document.documentElement.dataset.conversation = event
    if (event === 'failed') sayMissing()
  },
)

/** Says so by a toast (specification, section 8); if that cannot be loaded either, in a plainer way. */
export function sayMissing(): void {
  load(() => import('#stores/toast.ts')).then(
    ({ raiseToast }) => raiseToast(demoNotAvailable),
    () => window.codeLoader.showNotice([demoNotAvailable.title, demoNotAvailable.description]),
  )
}
