import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { planById } from '#plans/domain/plans.ts'
import { OrderSummary } from '#checkout/ui/OrderSummary.tsx'
import { OnboardingBar } from '#agent/ui/onboarding/OnboardingBar.tsx'
import { AppFooter } from '#platform/ui/bars/AppFooter.tsx'
import { SampleCard } from '#agent/ui/voice/SampleCard.tsx'
import { UploadCard } from '#agent/ui/voice/UploadCard.tsx'
import { createVoiceUpload } from '#agent/browser/voice/voice-upload.ts'
import '../../src/styles/app.css'

const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 2_000_000 }
const nothing = (): undefined => undefined
const upload = createVoiceUpload({
  userId: 'a1',
  sample: null,
  clients: {
    upload: () => Promise.resolve({ ok: true }),
    convert: (file) => Promise.resolve({ ok: true, value: file }),
    remove: () => Promise.resolve(true),
    save: () => Promise.resolve(true),
    warnBeforeUnload: nothing,
    now: () => 7,
  },
  onChange: nothing,
})

const screens: [string, ReactElement][] = [
  ['the footer', <AppFooter />],
  ['the bar of the set-up', <OnboardingBar onLogout={nothing} />],
  ['the order summary', <OrderSummary plan={planById('growth')} />],
  [
    'a stored sample',
    <SampleCard
      sample={sample}
      state={{ status: 'stored', sample, problem: null }}
      load={() => Promise.resolve(null)}
      onRemove={nothing}
    />,
  ],
  [
    'an upload',
    <UploadCard state={{ status: 'uploading', previous: null, sample, sent: 9 }} upload={upload} />,
  ],
]

test.each(screens)('%s has only targets of full size', async (_, element) => {
  const { container } = await render(element)
  const heights = [...container.querySelectorAll('a, button')].map((target) => [
    target.textContent || target.getAttribute('aria-label'),
    target.getBoundingClientRect().height,
  ])
  expect(heights).not.toEqual([])
  expect(heights.filter(([, height]) => Number(height) < 44)).toEqual([])
})
