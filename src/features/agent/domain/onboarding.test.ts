import { describe, expect, test } from 'vitest'
import {
  onboardingSteps,
  openOnboarding,
  stepTitles,
  transition,
  voiceWords,
  type OnboardingEvent,
  type OnboardingState,
  type OnboardingStep,
} from './onboarding.ts'
import { generalTemplateIds } from './industry-templates.ts'
import { payablePlanIds, plans } from '#plans/domain/plans.ts'

const userId = 'a1'
const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 2_000_000 }
const at = (step: OnboardingStep, more: Partial<OnboardingState> = {}): OnboardingState => ({
  phase: 'steps',
  step,
  userId,
  plan: 'growth',
  sample: null,
  isSampleBusy: false,
  template: null,
  templateIs: 'saved',
  isMissing: false,
  ...more,
})
const next: OnboardingEvent = { type: 'nextPressed' }
const remember = (step: OnboardingStep) => ({ type: 'rememberStep', step, userId })
const bad = (title: string, description?: string) => ({
  type: 'raiseToast',
  toast: { title, variant: 'destructive', description },
})

test.each(plans)(
  '$name is told of a voice from a recording only with voice cloning, else which plans have it',
  (plan) => {
    const words = voiceWords(plan.id)
    expect(words.includes('voice from your recording')).toBe(plan.voiceCloning)
    if (plan.voiceCloning) return
    expect(words).toContain('one of our standard voices')
    for (const { name, voiceCloning } of plans)
      if (name !== plan.name) expect(words.includes(name)).toBe(voiceCloning)
  },
)

test('the six steps carry the titles of the specification', () => {
  expect(onboardingSteps.map((step) => stepTitles[step])).toEqual([
    'Welcome',
    'Upload Your Voice Sample',
    'Choose an Industry Template',
    'Connect Your First Channel',
    'Test Your Callbot',
    'Setup Complete',
  ])
  expect(generalTemplateIds).toEqual(['hospitality', 'healthcare', 'retail'])
})

describe('Next', () => {
  const chosen = { sample, template: 'retail' } as const
  test.each([
    ['welcome', 'voice'],
    ['voice', 'template'],
    ['template', 'channel'],
    ['channel', 'test'],
    ['test', 'finish'],
  ] as const)('moves from %s to %s', (from, to) => {
    expect(transition(at(from, chosen), next)).toEqual({ state: at(to, chosen), commands: [remember(to)] })
  })
  test('never passes the last step', () => {
    expect(transition(at('finish', chosen), next)).toEqual({ state: at('finish', chosen), commands: [] })
  })
  test.each(['growth', 'pro', 'enterprise', 'a plan we do not know'])(
    'requires a voice sample for %s',
    (plan) => {
      expect(transition(at('voice', { plan }), next)).toEqual({
        state: at('voice', { plan, isMissing: true }),
        commands: [bad('Please upload a voice sample to continue.')],
      })
    },
  )
  test.each(payablePlanIds)('requires a template for %s', (plan) => {
    const state = at('template', { plan, sample })
    expect(transition(state, next)).toEqual({
      state: { ...state, isMissing: true },
      commands: [bad('Please select an industry template.')],
    })
  })
})

describe('Back', () => {
  test('moves by one and never before the first', () => {
    const stepsBack = onboardingSteps.map((step) => transition(at(step), { type: 'backPressed' }).state.step)
    expect(stepsBack).toEqual(['welcome', 'welcome', 'voice', 'template', 'channel', 'test'])
  })
})

describe('choices', () => {
  test('with a stored sample the voice step may be left, without it not', () => {
    const stored = transition(at('voice'), { type: 'sampleChanged', sample })
    expect(stored).toEqual({ state: at('voice', { sample }), commands: [] })
    const removed = transition(stored.state, { type: 'sampleChanged', sample: null }).state
    expect(transition(removed, next).state.step).toBe('voice')
  })
  test.each(['nextPressed', 'backPressed', 'finishLaterPressed'] as const)(
    'while a sample is being uploaded or removed, %s stays and says so',
    (type) => {
      const busy = transition(at('voice', { sample }), { type: 'sampleBusyChanged', isBusy: true }).state
      expect(transition(busy, { type })).toEqual({
        state: at('voice', { sample, isSampleBusy: true }),
        commands: [
          {
            type: 'raiseToast',
            toast: {
              title: 'Your voice sample is still being updated',
              description: 'Wait until it is done, or cancel the upload.',
              variant: 'notice',
            },
          },
        ],
      })
      const done = transition(busy, { type: 'sampleBusyChanged', isBusy: false }).state
      expect(done).toEqual(at('voice', { sample }))
    },
  )
  const save = { type: 'saveTemplate', template: 'retail', userId }
  const choose: OnboardingEvent = { type: 'templateChosen', template: 'retail' }
  const saved: OnboardingEvent = { type: 'templateSaved', template: 'retail' }
  const notSaved: OnboardingEvent = { type: 'templateNotSaved', template: 'retail' }
  const other: OnboardingEvent = { type: 'templateChosen', template: 'healthcare' }
  const notice = bad('Your choice was not saved', 'Check your connection, then press Next.')
  test.each<[string, OnboardingEvent[], Partial<OnboardingState>, unknown[]]>([
    [
      'Next waits until it is saved',
      [choose, next, next],
      { phase: 'saving', templateIs: 'being saved' },
      [save],
    ],
    ['then goes on', [choose, next, saved], { step: 'channel' }, [save, remember('channel')]],
    [
      'Next does not wait for what is saved',
      [choose, saved, next],
      { step: 'channel' },
      [save, remember('channel')],
    ],
    ['a failure stays', [choose, next, notSaved], { templateIs: 'not saved' }, [save, notice]],
    [
      'Next saves it again',
      [choose, notSaved, next],
      { phase: 'saving', templateIs: 'being saved' },
      [save, notice, save],
    ],
    [
      'another choice is waited for by itself',
      [choose, next, other, saved, next],
      { phase: 'saving', template: 'healthcare', templateIs: 'being saved' },
      [save, { ...save, template: 'healthcare' }],
    ],
    [
      'Back does not wait',
      [choose, next, { type: 'backPressed' }, saved],
      { step: 'voice' },
      [save, remember('voice')],
    ],
  ])('174. The template’s step is left once its template is saved: %s', (_, events, more, expected) => {
    let state = at('template')
    const commands: unknown[] = []
    for (const event of events) {
      const step = transition(state, event)
      state = step.state
      commands.push(...step.commands)
    }
    expect(state).toEqual(at('template', { template: 'retail', ...more }))
    expect(commands).toEqual(expected)
  })
})

describe('Finish Later', () => {
  test('does not exist on the last step', () => {
    expect(transition(at('finish'), { type: 'finishLaterPressed' }).commands).toEqual([])
  })
})

test('after leaving, no event does anything', () => {
  const left = at('voice', { phase: 'left' })
  for (const event of [next, { type: 'finishLaterPressed' }, { type: 'sampleChanged', sample }] as const)
    expect(transition(left, event)).toEqual({ state: left, commands: [] })
})

describe('opening', () => {
  const chosen = { userId, plan: 'growth', sample: null, template: null }
  test.each([
    ['a new customer', chosen, null, 'welcome'],
    ['a remembered step', chosen, 'voice', 'voice'],
    ['a remembered step whose sample is missing', chosen, 'test', 'voice'],
    ['starter needs no sample', { ...chosen, plan: 'starter' }, 'template', 'template'],
    ['a remembered step whose template is missing', { ...chosen, sample }, 'finish', 'template'],
    ['another day, after the sample', { ...chosen, sample }, null, 'template'],
    ['another day, after the template', { ...chosen, sample, template: 'retail' }, null, 'channel'],
    ['a template, but the sample was removed', { ...chosen, template: 'retail' }, null, 'voice'],
    ['the last step on reload', { ...chosen, sample, template: 'retail' }, 'finish', 'finish'],
  ] as const)('%s', (_, chosen, remembered, step) => {
    const opened = {
      ...chosen,
      isSampleBusy: false,
      isMissing: false,
      phase: 'steps',
      step,
      templateIs: 'saved',
    }
    expect(openOnboarding(chosen, remembered)).toEqual(opened)
  })
})
