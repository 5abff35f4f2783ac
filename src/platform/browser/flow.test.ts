import { expect, test, vi } from 'vitest'
import { createFlow } from './flow.ts'
import { $toast, raiseToast } from './toast.ts'
import { toasts } from '#platform/domain/toasts.ts'

type Event = 'opened' | 'answered' | 'closed'

const counting = (run: (command: string) => Event | undefined | Promise<Event | undefined>) =>
  createFlow<string[], Event, string>({
    initial: [],
    transition: (state, event) => ({
      state: [...state, event],
      commands: event === 'opened' ? ['ask'] : [],
    }),
    run,
  })

test('the event that a command returns is sent next', async () => {
  const flow = counting((command) => (command === 'ask' ? 'answered' : undefined))
  flow.send('opened')
  await expect.poll(() => flow.state.get()).toEqual(['opened', 'answered'])
})

test('the state is set before its commands run', () => {
  const seen: string[][] = []
  const flow = counting(() => {
    seen.push(flow.state.get())
    return undefined
  })
  flow.send('opened')
  expect(seen).toEqual([['opened']])
})

test('an event sent while another is handled is handled after it', () => {
  const flow = counting(() => {
    flow.send('answered')
    flow.send('closed')
    return undefined
  })
  flow.send('opened')
  expect(flow.state.get()).toEqual(['opened', 'answered', 'closed'])
})

test('a command that throws is reported, and the flow goes on', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const flow = counting(() => {
    throw new Error('a bug')
  })
  flow.send('opened')
  await expect.poll(() => reported).toEqual([new Error('a bug')])
  flow.send('closed')
  expect(flow.state.get()).toEqual(['opened', 'closed'])
  vi.unstubAllGlobals()
})

test('a toast leaves with the state that it is about; the toast of another cause stays', () => {
  vi.stubGlobal('window', new EventTarget())
  const flow = createFlow<string, 'failed' | 'ignored' | 'corrected', string>({
    initial: 'editing',
    transition: (state, event) => ({
      state: event === 'ignored' ? state : event,
      commands: event === 'failed' ? ['raise'] : [],
    }),
    run: () => void raiseToast(toasts.passwordTooShort),
  })
  flow.send('failed')
  flow.send('ignored')
  expect($toast.get()?.toast).toEqual(toasts.passwordTooShort)
  flow.send('corrected')
  expect($toast.get()).toBeNull()
  flow.send('failed')
  raiseToast(toasts.noUser)
  flow.send('corrected')
  expect($toast.get()?.toast).toEqual(toasts.noUser)
  $toast.set(null)
  vi.unstubAllGlobals()
})
