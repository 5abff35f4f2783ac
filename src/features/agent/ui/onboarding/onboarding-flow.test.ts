import { expect, test } from 'vitest'
import { openOnboarding } from '#agent/domain/onboarding.ts'
import { createOnboardingFlow } from './onboarding-flow.ts'

const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 10 }

/** The flow with a database that answers on demand; `done` lists what was written, `toasts` the titles raised. */
function open() {
  const done: string[] = []
  const toasts: string[] = []
  const waiting: ((isSaved: boolean) => void)[] = []
  const nothing = () => undefined
  const write = async (what: string): Promise<boolean> => {
    const isSaved = await new Promise<boolean>((resolve) => waiting.push(resolve))
    if (isSaved) done.push(what)
    return isSaved
  }
  const chosen = { userId: 'a1', plan: 'growth', sample, template: 'retail' } as const
  const flow = createOnboardingFlow(openOnboarding(chosen, 'finish'), {
    saveSettings: (_, columns) => write(String(columns.industry_template)),
    rememberStep: nothing,
    postpone: nothing,
    raiseToast: ({ title }) => void toasts.push(title),
  })
  /** Answers the newest request first. */
  const answer = async (isSaved: boolean): Promise<void> => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.pop()?.(isSaved)
  }
  return { flow, done, toasts, waiting, answer }
}

test('templates chosen in haste are written one after another', async () => {
  const { flow, done, waiting, answer } = open()
  flow.send({ type: 'templateChosen', template: 'hospitality' })
  flow.send({ type: 'templateChosen', template: 'healthcare' })
  await expect.poll(() => waiting.length).toBe(1)
  for (let answers = 0; answers < 2; answers++) await answer(true)
  await expect.poll(() => done).toEqual(['hospitality', 'healthcare'])
})

test('a choice that is not saved says so and does not hold up the next', async () => {
  const { flow, done, toasts, answer } = open()
  flow.send({ type: 'templateChosen', template: 'hospitality' })
  flow.send({ type: 'templateChosen', template: 'healthcare' })
  await answer(false)
  await answer(true)
  await expect.poll(() => done).toEqual(['healthcare'])
  expect(toasts).toEqual(['Your choice was not saved'])
})
