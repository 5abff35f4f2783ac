import type { VoiceSample } from './agent-settings.ts'
import type { IndustryTemplateId } from './industry-templates.ts'
import { planName, plans } from '#plans/domain/plans.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'

/** The six steps in their order (specification, section 4). */
export const onboardingSteps = ['welcome', 'voice', 'template', 'channel', 'test', 'finish'] as const
export type OnboardingStep = (typeof onboardingSteps)[number]

export const stepTitles: Record<OnboardingStep, string> = {
  welcome: 'Welcome',
  voice: 'Upload Your Voice Sample',
  template: 'Choose an Industry Template',
  channel: 'Connect Your First Channel',
  test: 'Test Your Callbot',
  finish: 'Setup Complete',
}

export interface OnboardingState {
  step: OnboardingStep
  userId: string
  plan: string
  sample: VoiceSample | null
  /** A sample is being uploaded or removed; the step cannot be left until that is done. */
  isSampleBusy: boolean
  template: IndustryTemplateId | null
  /** Next was pressed without what this step requires. */
  isMissing: boolean
  /** Next was pressed, and the template's step waits until the template is saved. */
  isSaving: boolean
}

/** Returns whether a plan uses a voice of the customer's own. An unknown plan does. */
export const needsVoiceSample = (plan: string): boolean =>
  plans.find(({ id }) => id === plan)?.voiceSample ?? true

const cloning = new Intl.ListFormat('en').format(
  plans.filter(({ voiceCloning }) => voiceCloning).map(({ name }) => name),
)

/** Says in which voice an agent answers, by the plan, and what becomes of a recording. Plans without voice cloning ask for one, too (specification, section 6). */
export function voiceWords(plan: string): string {
  if (plans.find(({ id }) => id === plan)?.voiceCloning)
    return `Your ${planName(plan)} plan includes voice cloning: our team makes your agent’s voice from your recording. Until then it answers in a standard voice.`
  const standard = `Your ${planName(plan)} plan answers in one of our standard voices.`
  return needsVoiceSample(plan)
    ? `${standard} We keep your recording for voice cloning, which is part of ${cloning}, until you remove it.`
    : `${standard} There is nothing to upload: voice cloning is part of ${cloning}.`
}

/** Returns the index of a step, 0 to 5. */
export const stepIndex = (step: OnboardingStep): number => onboardingSteps.indexOf(step)

export const isOnboardingStep = (value: unknown): value is OnboardingStep =>
  onboardingSteps.some((step) => step === value)

/** Returns what the step says is missing, once Next was pressed. */
export const missingOf = (state: OnboardingState): string | undefined =>
  state.isMissing ? missingChoice(state)?.title : undefined

/** Returns the toast that names the missing choice of this step, or null if the step may be left. */
export function missingChoice({ step, plan, sample, template }: OnboardingState): Toast | null {
  if (step === 'voice' && !sample && needsVoiceSample(plan)) return toasts.voiceSampleMissing
  if (step === 'template' && !template) return toasts.templateMissing
  return null
}

/**
 * Returns the state in which the wizard opens: at the step that this tab remembers, otherwise after the last choice that
 * was stored, but never after a step that may not be left yet.
 */
export function openOnboarding(
  chosen: Pick<OnboardingState, 'userId' | 'plan' | 'sample' | 'template'>,
  remembered: OnboardingStep | null,
): OnboardingState {
  const afterChoices = chosen.template ? 'channel' : chosen.sample ? 'template' : 'welcome'
  const wanted = stepIndex(remembered ?? afterChoices)
  const state: OnboardingState = {
    ...chosen,
    isSampleBusy: false,
    isMissing: false,
    isSaving: false,
    step: 'welcome',
  }
  const blocked = onboardingSteps.findIndex((step) => missingChoice({ ...state, step }) !== null)
  const index = blocked === -1 ? wanted : Math.min(wanted, blocked)
  return { ...state, step: onboardingSteps[index] ?? 'welcome' }
}
