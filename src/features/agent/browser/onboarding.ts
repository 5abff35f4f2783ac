import { atom } from 'nanostores'
import type { VoiceSample } from '#agent/domain/agent-settings.ts'
import type { IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import type { Outcome } from '#platform/domain/field-problem.ts'
import { portalAfterOnboarding } from '#platform/domain/routes.ts'
import { createQueue } from '#platform/domain/queue.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import { storageKey } from '#site'
import {
  isOnboardingStep,
  missingChoice,
  onboardingSteps,
  stepIndex,
  type OnboardingState,
  type OnboardingStep,
} from '#agent/domain/onboarding.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { dismissToast } from '#platform/browser/toast.ts'

/** What the steps call; a test passes its own. */
interface StepClients {
  saveTemplate: (template: IndustryTemplateId) => Promise<boolean>
  /** Remembers the step that this tab has reached. */
  rememberStep: (step: OnboardingStep) => void
  /** Allows this tab into the portal until the next sign-in, and opens it. */
  postpone: () => void
  /** Returns the toast's number. */
  raiseToast: (toast: Toast) => number
}

export type OnboardingStore = ReturnType<typeof createOnboarding>

/** The steps of onboarding (specification, section 4, "Onboarding steps"). */
export function createOnboarding(initial: OnboardingState, clients: StepClients) {
  const state = atom(initial)
  // Choices are written in their order, however fast they are made.
  const enqueue = createQueue()
  /** Whether the chosen template could be saved. */
  let saved = Promise.resolve(true)
  let hasFailed = false
  let raised = 0

  /** A toast is about the state in which it was raised, and leaves with that. */
  function patch(part: Partial<OnboardingState>): void {
    dismissToast(raised)
    state.set({ ...state.get(), ...part })
  }
  const tell = (toast: Toast): void => void (raised = clients.raiseToast(toast))

  function save(template: IndustryTemplateId): void {
    const saving = enqueue(() => clients.saveTemplate(template)).then((isSaved) => {
      if (isSaved) return true
      // Another template may have been chosen meanwhile.
      if (saved === saving) {
        hasFailed = true
        patch({ isSaving: false })
      }
      tell(toasts.templateNotSaved)
      return false
    })
    saved = saving
    hasFailed = false
  }

  function move(by: 1 | -1): void {
    const step = onboardingSteps[stepIndex(state.get().step) + by]
    if (!step) return
    patch({ step, isMissing: false, isSaving: false })
    clients.rememberStep(step)
  }

  /** Returns whether the step may be left now, and says so if not. */
  function mayLeave(): boolean {
    const { isSampleBusy } = state.get()
    if (isSampleBusy) tell(toasts.sampleUnderWay)
    return !isSampleBusy
  }

  return {
    state,
    changeSample: (sample: VoiceSample | null) => patch({ sample }),
    noteBusySample: (isSampleBusy: boolean) => patch({ isSampleBusy }),
    chooseTemplate(template: IndustryTemplateId): void {
      patch({ template, isSaving: false })
      save(template)
    },
    /** Leaves a step once what it asks for is chosen and saved. */
    async next(): Promise<void> {
      if (!mayLeave()) return
      const missing = missingChoice(state.get())
      if (missing) {
        patch({ isMissing: true })
        return tell(missing)
      }
      const { step, template, isSaving } = state.get()
      if (step !== 'template' || !template) return move(1)
      if (isSaving) return
      if (hasFailed) save(template)
      patch({ isSaving: true })
      // Back may be pressed meanwhile, or another template chosen, which is waited for by itself.
      const awaited = saved
      if ((await awaited) && saved === awaited && state.get().isSaving) move(1)
    },
    back(): void {
      if (mayLeave()) move(-1)
    },
    finishLater(): void {
      if (mayLeave()) clients.postpone()
    },
  }
}

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
