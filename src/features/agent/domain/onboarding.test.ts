import { describe, expect, test } from 'vitest'
import { onboardingSteps, openOnboarding, stepTitles, voiceWords } from './onboarding.ts'
import { generalTemplateIds } from './industry-templates.ts'
import { plans } from '#plans/domain/plans.ts'

const userId = 'a1'
const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 2_000_000 }

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
      isSaving: false,
      step,
    }
    expect(openOnboarding(chosen, remembered)).toEqual(opened)
  })
})
