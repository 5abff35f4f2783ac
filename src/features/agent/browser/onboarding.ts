import type { Outcome } from '#platform/domain/field-problem.ts'
import { portalAfterOnboarding } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { storageKey } from '#site'
import { isOnboardingStep, type OnboardingStep } from '#agent/domain/onboarding.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'

/** The requests and the memory of onboarding's end; a test passes its own. */
interface FinishClients {
  keepTimeZone: (userId: string) => Promise<void>
  complete: (userId: string) => Promise<boolean>
  noteCompleted: () => void
  /** The step that this tab has reached, and Finish Later. */
  forgetStep: (userId: string) => void
  forgetPostponed: () => void
}

/** Marks onboarding as complete, and leads to the portal (specification, section 4). */
export async function finishOnboarding(userId: string, clients: FinishClients): Promise<Outcome> {
  // Before the agent is made.
  await clients.keepTimeZone(userId)
  if (!(await clients.complete(userId))) return { toast: toasts.setupFailed }
  clients.noteCompleted()
  clients.forgetStep(userId)
  clients.forgetPostponed()
  return { goTo: portalAfterOnboarding }
}

const key = (userId: string): string => storageKey(`onboarding_step_${userId}`)

/** Remembers the step of onboarding that this tab has reached, until the tab is closed. */
export const onboardingStep = {
  remember: (userId: string, step: OnboardingStep) => void tabStorage.write(key(userId), step),
  remembered: (userId: string): OnboardingStep | null => {
    const step = tabStorage.read(key(userId))
    return isOnboardingStep(step) ? step : null
  },
  forget: (userId: string) => tabStorage.remove(key(userId)),
}
