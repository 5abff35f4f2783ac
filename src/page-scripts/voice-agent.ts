import { voiceAgent as agentOf } from '#assistant/browser/voice-widget.ts'
import { load } from '#platform/browser/loading.ts'
import { demoNotAvailable } from '#assistant/domain/demo-not-available.ts'
import type { VoiceSetting } from '#assistant/domain/voice-setting.ts'

/** Read at build, and written on the page's button. */
const setting = JSON.parse(
  document.querySelector<HTMLElement>('[data-voice-loaded]')!.dataset.voiceLoaded!,
) as VoiceSetting

/** The page's voice agent. While somebody talks to it, the round buttons are out of the way (floating.css). */
export const agent = agentOf(
  setting,
  () => load(() => import('#assistant/ui/register.ts')),
  (event) => {
    document.documentElement.dataset.conversation = event
    if (event === 'failed') sayMissing()
  },
)

/** Says so by a toast (specification, section 8); if that cannot be loaded either, in a plainer way. */
export function sayMissing(): void {
  load(() => import('#platform/browser/toast.ts')).then(
    ({ raiseToast }) => raiseToast(demoNotAvailable),
    () => window.codeLoader.showNotice([demoNotAvailable.title, demoNotAvailable.description]),
  )
}
