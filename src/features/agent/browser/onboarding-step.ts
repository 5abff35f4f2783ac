import { storageKey } from '#site'
import { isOnboardingStep, type OnboardingStep } from '#agent/domain/onboarding.ts'

const key = (userId: string): string => storageKey(`onboarding_step_${userId}`)

/** The step of onboarding that this tab has reached. It is gone with the tab, and no other tab knows it. */
export const onboardingStep = {
  remember: (userId: string, step: OnboardingStep): void => sessionStorage.setItem(key(userId), step),
  remembered: (userId: string): OnboardingStep | null => {
    const step = sessionStorage.getItem(key(userId))
    return isOnboardingStep(step) ? step : null
  },
  forget: (userId: string): void => sessionStorage.removeItem(key(userId)),
}
