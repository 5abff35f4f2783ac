import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { SaveOutcome } from './knowledge.ts'
import { createTeaching } from './teaching.ts'

const one = { ...noKnowledge, about: 'One' }
const two = { ...noKnowledge, about: 'Two' }
const long = { ...noKnowledge, about: 'x'.repeat(1_001) }
const theirs = { knowledge: two, version: 'v9' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A teaching whose saves wait for `answer`; `saved` lists what was sent and on which version. */
function open() {
  const saved: [AgentKnowledge, string | null][] = []
  const published: AgentKnowledge[] = []
  let end: (outcome: SaveOutcome) => void = () => undefined
  const teaching = createTeaching(
    { knowledge: noKnowledge, version: 'v1' },
    {
      save: (knowledge, version) => {
        saved.push([knowledge, version])
        return new Promise((resolve) => (end = resolve))
      },
      publish: async () => void published.push(teaching.state.get().draft),
    },
  )
  const answer = async (outcome: SaveOutcome): Promise<void> => {
    end(outcome)
    await vi.advanceTimersByTimeAsync(0)
  }
  const pause = () => vi.advanceTimersByTimeAsync(1_000)
  return { teaching, state: () => teaching.state.get(), saved, published, answer, pause }
}

test('a pause after the last edit saves, and tells the provider', async () => {
  const { teaching, state, saved, published, answer, pause } = open()
  teaching.edit(one)
  await vi.advanceTimersByTimeAsync(900)
  teaching.edit(two)
  await vi.advanceTimersByTimeAsync(900)
  expect(saved).toEqual([])
  await pause()
  expect(saved).toEqual([[two, 'v1']])
  await answer({ kind: 'saved', version: 'v2' })
  expect(state()).toEqual({ draft: two, version: 'v2', status: 'saved', theirs: null })
  expect(published).toEqual([two])
})

test('what is edited during a save is saved after it, on the new version', async () => {
  const { teaching, saved, published, answer, pause } = open()
  teaching.edit(one)
  await pause()
  teaching.edit(two)
  await pause()
  await answer({ kind: 'saved', version: 'v2' })
  await pause()
  expect(saved).toEqual([
    [one, 'v1'],
    [two, 'v2'],
  ])
  expect(published).toEqual([])
})

test('what is typed is kept if saving fails, and saved with the next try or edit', async () => {
  const { teaching, state, saved, answer, pause } = open()
  teaching.edit(one)
  await pause()
  await answer({ kind: 'failed' })
  expect(state()).toMatchObject({ draft: one, status: 'failed' })
  void teaching.saveNow()
  await answer({ kind: 'failed' })
  teaching.edit(two)
  await pause()
  expect(saved).toEqual([
    [one, 'v1'],
    [one, 'v1'],
    [two, 'v1'],
  ])
})

test('171. a text that is too long is kept and not saved until it fits', async () => {
  const { teaching, state, saved, answer, pause } = open()
  teaching.edit(one)
  teaching.edit(long)
  await pause()
  expect([state().status, state().draft, saved]).toEqual(['refused', long, []])
  teaching.edit(two)
  await pause()
  teaching.edit(long)
  await answer({ kind: 'failed' })
  expect(state().status).toBe('refused')
  teaching.edit(one)
  await pause()
  teaching.edit(long)
  await answer({ kind: 'overtaken', theirs })
  void teaching.keepMine()
  expect(state()).toMatchObject({ draft: long, version: 'v9', status: 'refused' })
  expect(saved).toHaveLength(2)
})

test('a change elsewhere is overwritten only by choice', async () => {
  const { teaching, state, saved, answer, pause } = open()
  const overtake = async () => {
    teaching.edit(one)
    await pause()
    await answer({ kind: 'overtaken', theirs })
    void teaching.saveNow()
  }
  await overtake()
  expect(state()).toMatchObject({ draft: one, status: 'overtaken', theirs })
  void teaching.keepMine()
  expect(saved).toEqual([
    [one, 'v1'],
    [one, 'v9'],
  ])
  await answer({ kind: 'saved', version: 'v10' })
  await overtake()
  teaching.takeTheirs()
  expect(state()).toEqual({ draft: two, version: 'v9', status: 'saved', theirs: null })
})

test('a save whose answer was lost does not conflict with itself', async () => {
  const { teaching, state, published, answer, pause } = open()
  const reordered = Object.fromEntries(Object.entries(one).reverse()) as typeof one
  teaching.edit(one)
  await pause()
  await answer({ kind: 'overtaken', theirs: { knowledge: reordered, version: 'v2' } })
  expect(state()).toMatchObject({ status: 'saved', version: 'v2' })
  expect(published).toEqual([one])
})
