import { useEffect } from 'react'
import { useStore } from '@nanostores/react'
import { site } from '#site'
import { onboardingSteps, stepIndex } from '#agent/domain/onboarding.ts'
import type { OnboardingStore } from '#agent/browser/onboarding.ts'
import type { Outcome } from '#platform/domain/field-problem.ts'
import { routes } from '#platform/domain/routes.ts'
import type { VoiceUploadStore } from '#agent/browser/voice/voice-upload.ts'
import { AppFooter } from '#platform/ui/bars/AppFooter.tsx'
import { UnsavedNotice } from '#platform/ui/UnsavedNotice.tsx'
import { ChannelStep } from './ChannelStep.tsx'
import { CordPath } from './CordPath.tsx'
import { FinishStep } from './FinishStep.tsx'
import { OnboardingBar } from './OnboardingBar.tsx'
import { TemplateStep } from './TemplateStep.tsx'
import { TestStep } from './TestStep.tsx'
import { VoiceStep } from './VoiceStep.tsx'
import { WelcomeStep } from './WelcomeStep.tsx'
import { progressBar, textButton } from '#platform/domain/variants.ts'
import { fillFrame } from '#platform/domain/app-variants.ts'

interface Props {
  steps: OnboardingStore
  upload: VoiceUploadStore
  /** The status of the subscription. */
  status: string
  /** Called when Start AI Conversation is pressed. */
  onTest: () => void
  /** Finishes the set-up, and returns how that ended. */
  onFinish: () => Promise<Outcome>
  onLogout: () => void
}

/** The six steps of onboarding (specification, section 2). */
export function Wizard({ steps, upload, status, onTest, onFinish, onLogout }: Props) {
  const state = useStore(steps.state)
  const number = stepIndex(state.step) + 1
  const total = onboardingSteps.length
  useEffect(() => {
    document.title = `Setup, step ${number} of ${total}: ${site.name}`
  }, [number, total])
  const props = { state, steps }
  return (
    <>
      <OnboardingBar onLogout={onLogout}>
        {number < total && (
          <a
            className={textButton()}
            href={routes.portal}
            onClick={(event) => {
              event.preventDefault()
              steps.finishLater()
            }}
          >
            Finish Later
          </a>
        )}
      </OnboardingBar>
      <main id="main">
        <UnsavedNotice />
        <section>
          <div className={fillFrame}>
            <progress className={progressBar} max={total} value={number} aria-label="Setup progress">
              Step {number} of {total}
            </progress>
            <CordPath step={state.step} />
            {state.step === 'welcome' && <WelcomeStep {...props} />}
            {state.step === 'voice' && <VoiceStep {...props} upload={upload} />}
            {state.step === 'template' && <TemplateStep {...props} />}
            {state.step === 'channel' && <ChannelStep {...props} />}
            {state.step === 'test' && <TestStep {...props} onTest={onTest} />}
            {state.step === 'finish' && <FinishStep {...props} status={status} onFinish={onFinish} />}
          </div>
        </section>
      </main>
      <AppFooter />
    </>
  )
}
