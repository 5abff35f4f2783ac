import type { VoiceSample } from './agent-settings.ts'
import type { IndustryTemplateId } from './industry-templates.ts'
import { planName, plans } from '#plans/domain/plans.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import type { Transition } from '#platform/domain/transition.ts'

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
  /**
   * `saving`: Next was pressed, and the template's step waits until the template is saved; `left`: the portal is being
   * opened.
   */
  phase: 'steps' | 'saving' | 'left'
  step: OnboardingStep
  userId: string
  plan: string
  sample: VoiceSample | null
  /** A sample is being uploaded or removed; the step cannot be left until that is done. */
  isSampleBusy: boolean
  template: IndustryTemplateId | null
  /** What has become of the chosen template. Its step cannot be left before it is saved. */
  templateIs: 'saved' | 'being saved' | 'not saved'
  /** Next was pressed without what this step requires. */
  isMissing: boolean
}

export type OnboardingEvent =
  | { type: 'nextPressed' }
  | { type: 'backPressed' }
  | { type: 'finishLaterPressed' }
  | { type: 'sampleChanged'; sample: VoiceSample | null }
  | { type: 'sampleBusyChanged'; isBusy: boolean }
  | { type: 'templateChosen'; template: IndustryTemplateId }
  | { type: 'templateSaved'; template: IndustryTemplateId }
  | { type: 'templateNotSaved'; template: IndustryTemplateId }

export type OnboardingCommand =
  | { type: 'raiseToast'; toast: Toast }
  | { type: 'rememberStep'; step: OnboardingStep; userId: string }
  | { type: 'saveTemplate'; template: IndustryTemplateId; userId: string }
  /** Allows this tab into the portal until the next sign-in, and opens it. */
  | { type: 'postpone'; userId: string }

type OnboardingTransition = Transition<OnboardingState, OnboardingCommand>

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
function missingChoice({ step, plan, sample, template }: OnboardingState): Toast | null {
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
    templateIs: 'saved',
    isSampleBusy: false,
    isMissing: false,
    phase: 'steps',
    step: 'welcome',
  }
  const blocked = onboardingSteps.findIndex((step) => missingChoice({ ...state, step }) !== null)
  const index = blocked === -1 ? wanted : Math.min(wanted, blocked)
  return { ...state, step: onboardingSteps[index] ?? 'welcome' }
}

const stay = (state: OnboardingState, ...commands: OnboardingCommand[]): OnboardingTransition => ({
  state,
  commands,
})

function move(state: OnboardingState, by: 1 | -1): OnboardingTransition {
  const step = onboardingSteps[stepIndex(state.step) + by]
  if (!step) return stay(state)
  return {
    state: { ...state, step, isMissing: false },
    commands: [{ type: 'rememberStep', step, userId: state.userId }],
  }
}

const leavesStep = ({ type }: OnboardingEvent): boolean =>
  type === 'nextPressed' || type === 'backPressed' || type === 'finishLaterPressed'

/** Another template may have been chosen since this one was sent. */
function templateAnswered(state: OnboardingState, template: string, isSaved: boolean): OnboardingTransition {
  const isChosen = template === state.template
  const known: OnboardingState = isChosen ? { ...state, templateIs: isSaved ? 'saved' : 'not saved' } : state
  const isAwaited = isChosen && state.phase === 'saving'
  const after: OnboardingState = isAwaited ? { ...known, phase: 'steps' } : known
  if (!isSaved) return stay(after, { type: 'raiseToast', toast: toasts.templateNotSaved })
  return isAwaited ? move(after, 1) : stay(after)
}

/** Leaves a step once what it asks for is chosen and saved. */
function next(state: OnboardingState): OnboardingTransition {
  const missing = missingChoice(state)
  if (missing) return stay({ ...state, isMissing: true }, { type: 'raiseToast', toast: missing })
  const { step, template, templateIs, userId } = state
  if (step !== 'template' || !template || templateIs === 'saved') return move(state, 1)
  const waiting: OnboardingState = { ...state, phase: 'saving', templateIs: 'being saved' }
  return templateIs === 'being saved'
    ? stay(waiting)
    : stay(waiting, { type: 'saveTemplate', template, userId })
}

/** Specification, section 4, "Onboarding steps". */
export function transition(state: OnboardingState, event: OnboardingEvent): OnboardingTransition {
  if (state.phase === 'left') return stay(state)
  // A stored sample counts in every phase.
  if (event.type === 'sampleChanged') return stay({ ...state, sample: event.sample })
  if (event.type === 'sampleBusyChanged') return stay({ ...state, isSampleBusy: event.isBusy })
  if (event.type === 'templateSaved' || event.type === 'templateNotSaved')
    return templateAnswered(state, event.template, event.type === 'templateSaved')
  if (state.isSampleBusy && leavesStep(event))
    return stay(state, { type: 'raiseToast', toast: toasts.sampleUnderWay })
  switch (event.type) {
    case 'nextPressed':
      return state.phase === 'saving' ? stay(state) : next(state)
    case 'backPressed':
      return move({ ...state, phase: 'steps' }, -1)
    case 'templateChosen':
      return stay(
        { ...state, phase: 'steps', template: event.template, templateIs: 'being saved' },
        { type: 'saveTemplate', template: event.template, userId: state.userId },
      )
    case 'finishLaterPressed':
      if (state.step === 'finish') return stay(state)
      return stay({ ...state, phase: 'left' }, { type: 'postpone', userId: state.userId })
    default:
      return stay(state)
  }
}
