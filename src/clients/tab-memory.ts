import { storageKey } from '#site'
import { isOnboardingStep, type OnboardingStep } from '#domain/onboarding.ts'

const laterKey = storageKey('onboarding_later')
const stepKey = (userId: string): string => storageKey(`onboarding_step_${userId}`)

/** What this tab remembers of onboarding. Session storage: gone with the tab, unknown to every other one. */
export const tabMemory = {
  /** Finish Later: the portal lets this user in from this tab (decision 0003). */
  postpone: (userId: string): void => sessionStorage.setItem(laterKey, userId),
  isPostponed: (userId: string): boolean => sessionStorage.getItem(laterKey) === userId,
  /** The next sign-in leads to onboarding again. */
  forgetPostponed: (): void => sessionStorage.removeItem(laterKey),

  rememberStep: (userId: string, step: OnboardingStep): void => sessionStorage.setItem(stepKey(userId), step),
  rememberedStep: (userId: string): OnboardingStep | null => {
    const step = sessionStorage.getItem(stepKey(userId))
    return isOnboardingStep(step) ? step : null
  },
  forgetStep: (userId: string): void => sessionStorage.removeItem(stepKey(userId)),
}
