import { expect, test } from 'vitest'
import { finishOnboarding } from './onboarding.ts'

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
