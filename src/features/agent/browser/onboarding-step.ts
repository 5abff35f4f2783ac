import { storageKey } from '#site'
import { isOnboardingStep, type OnboardingStep } from '#agent/domain/onboarding.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'

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
