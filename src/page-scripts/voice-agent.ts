import { createVoiceAgent } from '#assistant/browser/voice-agent.ts'
import { demoNotAvailable } from '#assistant/domain/demo-not-available.ts'
import type { VoiceSetting } from '#assistant/domain/voice-setting.ts'

/** The button's place, on which the build writes who answers. Where nobody does, there is none. */
const place = document.querySelector<HTMLElement>('[data-voice-loaded]')?.dataset

// During a conversation the round buttons are hidden (floating.css).
const createAgent = (setting: VoiceSetting) =>
  createVoiceAgent(
    setting,
    () => import('#assistant/ui/register.ts'),
    (event) => {
      document.documentElement.dataset.conversation = event
      if (event === 'failed') showUnavailable()
    },
  )

/** The page's voice agent. */
export const agent = place && createAgent(JSON.parse(place.voiceLoaded!) as VoiceSetting)

/** Who answers in a customer's test: our own panel if it can, even where a widget answers visitors. */
export const tester = place?.talk === undefined ? agent : createAgent({ provider: 'own', options: {} })

const toasts = () => import('#platform/browser/toast.ts')

/**
 * Shows a toast that the demo is not available (specification, section 8), in the notice that code did not load if the
 * toast's own is missing. Where nobody answers, it leads to a person: to `helpFor()`, whose file no page has to load for it, or
 * to the form of this page.
 */
export function showUnavailable(): void {
  const toast = agent
    ? demoNotAvailable
    : { ...demoNotAvailable, link: { label: 'Ask a person', href: '/contact#help' } }
  const form = agent ? null : document.querySelector('[data-help]')
  form?.scrollIntoView()
  form?.querySelector('select')?.focus({ preventScroll: true })
  toasts().then(
    ({ raiseToast }) => raiseToast(toast),
    () => window.showNotice(toast.title, toast.description),
  )
}
