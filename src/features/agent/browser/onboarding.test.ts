import { expect, test } from 'vitest'
import { openOnboarding } from '#agent/domain/onboarding.ts'
import { createOnboarding, finishOnboarding } from './onboarding.ts'

const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 10 }

/** The steps, at the template, with a database that answers on demand. `written` lists what it was asked to save. */
function open() {
  const written: string[] = []
  const told: string[] = []
  const waiting: ((isSaved: boolean) => void)[] = []
  const chosen = { userId: 'a1', plan: 'growth', sample, template: null } as const
  const steps = createOnboarding(openOnboarding(chosen, 'template'), {
    saveTemplate: (template) => {
      written.push(template)
      return new Promise((resolve) => waiting.push(resolve))
    },
    rememberStep: () => undefined,
    postpone: () => undefined,
    raiseToast: ({ title }) => told.push(title),
  })
  /** Answers the request that waits. */
  const answer = async (isSaved: boolean): Promise<void> => {
    await expect.poll(() => waiting.length).toBe(1)
    waiting.pop()?.(isSaved)
    await new Promise(setImmediate)
  }
  return { steps, written, told, answer, step: () => steps.state.get().step }
}

test('174. The template’s step is left once its template is saved: a failure stays, and Next saves it again', async () => {
  const { steps, written, told, answer, step } = open()
  steps.chooseTemplate('retail')
  void steps.next()
  void steps.next()
  expect(steps.state.get()).toMatchObject({ step: 'template', isSaving: true })
  await answer(false)
  expect(told).toEqual(['Your choice was not saved'])
  expect(steps.state.get()).toMatchObject({ step: 'template', isSaving: false })
  void steps.next()
  await answer(true)
  expect(step()).toBe('channel')
  expect(written).toEqual(['retail', 'retail'])
})

test('174. Templates chosen in haste are written in their order, and the last one is waited for', async () => {
  const { steps, written, told, answer, step } = open()
  steps.chooseTemplate('retail')
  void steps.next()
  steps.chooseTemplate('healthcare')
  await answer(false)
  expect([step(), told]).toEqual(['template', ['Your choice was not saved']])
  void steps.next()
  await answer(true)
  expect([step(), written]).toEqual(['channel', ['retail', 'healthcare']])
})

test('Back does not wait for the template', async () => {
  const { steps, answer, step } = open()
  steps.chooseTemplate('retail')
  void steps.next()
  steps.back()
  await answer(true)
  expect(step()).toBe('voice')
})

test('no step is passed beyond the last or before the first', async () => {
  const { steps, answer, step } = open()
  for (let press = 0; press < 6; press++) steps.back()
  expect(step()).toBe('welcome')
  steps.chooseTemplate('retail')
  await answer(true)
  for (let press = 0; press < 7; press++) await steps.next()
  expect(step()).toBe('finish')
})

test.each([
  [
    'asks the database first, then leads to the portal',
    true,
    { goTo: '/portal?onboarding_complete=true' },
    ['time zone of a1', 'complete a1', 'noted', 'forget a1', 'forget Finish Later'],
  ],
  [
    'says so when the update fails',
    false,
    {
      toast: { title: 'Error completing setup', description: 'Please try again.', variant: 'destructive' },
    },
    ['time zone of a1', 'complete a1'],
  ],
] as const)('Finish %s', async (_, isCompleted, outcome, steps) => {
  const done: string[] = []
  const ended = await finishOnboarding('a1', {
    keepTimeZone: async (userId) => void done.push(`time zone of ${userId}`),
    complete: async (userId) => {
      done.push(`complete ${userId}`)
      return isCompleted
    },
    noteCompleted: () => done.push('noted'),
    forgetStep: (userId) => done.push(`forget ${userId}`),
    forgetPostponed: () => done.push('forget Finish Later'),
  })
  expect(ended).toEqual(outcome)
  expect(done).toEqual(steps)
})
