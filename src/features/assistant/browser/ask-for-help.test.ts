import { beforeEach, expect, test, vi } from 'vitest'
import { longestHelp } from '#assistant/domain/help.ts'
import { askForHelp, type TypedHelp } from './ask-for-help.ts'

beforeEach(() => vi.stubGlobal('location', { pathname: '/contact' }))

const typed: TypedHelp = {
  about: 'charge',
  name: 'Ada',
  email: 'Ada@Hotel.example ',
  need: 'You charged\nme twice. ',
}
const taken = () => Promise.resolve({ ok: true, value: {} } as const)

test.each([
  [{ name: ' ' }, 'name', 'Enter your name.'],
  [{ email: 'ada' }, 'email', expect.any(String)],
  [{ need: '\n' }, 'need', 'Say what it is about.'],
  [{ need: 'x'.repeat(longestHelp + 1) }, 'need', `Say it in at most ${longestHelp} characters.`],
])('%o is a problem at a field, and nothing is sent', async (wrong, field, message) => {
  const send = vi.fn(taken)
  expect(await askForHelp({ ...typed, ...wrong }, send)).toEqual({ problem: { field, message } })
  expect(send).not.toHaveBeenCalled()
})

test('what is sent is on one line, about a known topic, and the same request if it is sent again', async () => {
  const sent: { id?: string }[] = []
  const send = (body: object) => {
    sent.push(body)
    return sent.length === 1
      ? Promise.resolve({ ok: false, failure: { code: 'internal', message: 'Try again.' } } as const)
      : taken()
  }
  expect(await askForHelp(typed, send)).toEqual({ problem: { field: 'submit', message: 'Try again.' } })
  expect(await askForHelp(typed, send)).toEqual({ sentTo: 'ada@hotel.example' })
  await askForHelp({ ...typed, about: 'hacked' }, send)
  const wish = { kind: 'help', about: 'charge', need: 'You charged me twice.' }
  expect(sent[0]).toMatchObject({ name: 'Ada', email: 'ada@hotel.example', page: '/contact', wish })
  expect(sent[1]).toEqual(sent[0])
  expect(sent[2]).toMatchObject({ wish: { ...wish, about: 'other' } })
  expect(sent[2]!.id).not.toBe(sent[0]!.id)
})
