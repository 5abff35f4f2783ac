import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { sampleOf, type AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import { onboardingGuard } from '#account/domain/guards.ts'
import { openOnboarding } from '#agent/domain/onboarding.ts'
import { createOnboarding, finishOnboarding, onboardingStep } from '#agent/browser/onboarding.ts'
import { completeOnboarding, postponedOnboarding } from '#account/browser/onboarding-record.ts'
import { $agentSettings, loadAgentSettings, saveAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { keepTimeZone } from '#agent/browser/knowledge.ts'
import { tryOutStored } from '#agent/browser/try-out.ts'
import { $session } from '#account/browser/session-store.ts'
import {
  $subscription,
  noteOnboardingCompleted,
  refreshSubscription,
} from '#billing/browser/subscription-store.ts'
import { voiceUploadClients } from '#agent/browser/voice/voice-upload-clients.ts'
import { createVoiceUpload } from '#agent/browser/voice/voice-upload.ts'
import { knownSubscription } from '#billing/ui/known-subscription.ts'
import { NoSubscription } from '#billing/ui/NoSubscription.tsx'
import { useRedirect } from '#platform/ui/hooks/redirect.ts'
import { openPage } from '#platform/browser/navigation.ts'
import { raiseToast, raiseToastForNextPage } from '#platform/browser/toast.ts'
import { routes } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { useLogOut } from '#account/ui/useLogOut.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { OnboardingBar } from './OnboardingBar.tsx'
import { useRoundButton } from '#agent/ui/useRoundButton.ts'
import { Wizard } from './Wizard.tsx'

/** The whole of /onboarding, for signed-in customers who have not completed it. */
export function Onboarding() {
  const session = useStore($session)
  const subscription = useStore($subscription)
  const settings = useStore($agentSettings)
  const decision = onboardingGuard(session, knownSubscription(subscription))
  const user = session.status === 'signedIn' ? session.user : null
  const userId = user?.id ?? null
  const { isLeaving, logOut } = useLogOut()

  // An admitted customer stays admitted: the guard must not redirect before the wizard itself opens the portal.
  const [admitted, setAdmitted] = useState<{ userId: string; plan: string; status: string } | null>(null)
  const isIn = admitted !== null && admitted.userId === userId
  if (decision.kind === 'allow' && userId !== null && !isIn && subscription.status === 'ready')
    setAdmitted({ userId, plan: subscription.subscription.plan, status: subscription.subscription.status })

  useRedirect(decision.kind === 'redirect' && !isIn && !isLeaving ? decision.url : null)
  useEffect(() => {
    if (admitted) void loadAgentSettings(admitted.userId)
  }, [admitted])

  if (isIn && settings.status === 'ready' && settings.userId === userId)
    return <OpenWizard key={userId} {...admitted} settings={settings.settings} onLogout={logOut} />
  return (
    <>
      <OnboardingBar onLogout={logOut} />
      <main id="main">
        {isIn && settings.status === 'failed' ? (
          <Waiting failed onRetry={() => void loadAgentSettings(admitted.userId)} />
        ) : user && subscription.status === 'missing' ? (
          <NoSubscription email={user.email} onLogout={logOut} />
        ) : (
          <Waiting failed={subscription.status === 'failed'} onRetry={() => void refreshSubscription()} />
        )}
      </main>
    </>
  )
}

/** Lets this tab into the portal until the next sign-in, and opens it. */
function postpone(userId: string): void {
  postponedOnboarding.postpone(userId)
  raiseToastForNextPage(toasts.progressSaved)
  openPage(routes.portal)
}

const finishClients = {
  keepTimeZone,
  complete: completeOnboarding,
  noteCompleted: noteOnboardingCompleted,
  forgetStep: onboardingStep.forget,
  forgetPostponed: postponedOnboarding.forget,
}

interface OpenWizardProps {
  userId: string
  plan: string
  /** That of the subscription. */
  status: string
  settings: AgentSettingsRow
  onLogout: () => void
}

function OpenWizard({ userId, plan, status, settings, onLogout }: OpenWizardProps) {
  const [{ steps, upload }] = useState(() => {
    const sample = sampleOf(settings)
    const chosen = { userId, plan, sample, template: settings.industry_template }
    const steps = createOnboarding(openOnboarding(chosen, onboardingStep.remembered(userId)), {
      saveTemplate: (template) => saveAgentSettings(userId, { industry_template: template }),
      rememberStep: (step) => onboardingStep.remember(userId, step),
      postpone: () => postpone(userId),
      raiseToast,
    })
    const upload = createVoiceUpload({
      userId,
      sample,
      clients: voiceUploadClients,
      onChange: steps.changeSample,
      onBusyChange: steps.noteBusySample,
    })
    return { steps, upload }
  })
  const test = (): void =>
    void tryOutStored('onboarding', userId, { industry_template: steps.state.get().template })
  useRoundButton(test)
  return (
    <Wizard
      steps={steps}
      upload={upload}
      status={status}
      onTest={test}
      onFinish={() => finishOnboarding(userId, finishClients)}
      onLogout={onLogout}
    />
  )
}
