import { describe, expect, test } from 'vitest'
import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { openTeaching, transition, type TeachingEvent, type TeachingState } from './teaching.ts'

const one = { ...noKnowledge, about: 'One' }
const two = { ...noKnowledge, about: 'Two' }
const opened = openTeaching({ knowledge: noKnowledge, version: 'v1' })

/** Returns the last state and all commands. */
function after(...events: TeachingEvent[]): { state: TeachingState; commands: unknown[] } {
  let state = opened
  const commands: unknown[] = []
  for (const event of events) {
    const step = transition(state, event)
    state = step.state
    commands.push(...step.commands)
  }
  return { state, commands }
}
const edit = (draft: typeof one): TeachingEvent => ({ type: 'edited', draft })
const due: TeachingEvent = { type: 'saveDue' }
const saved = (version: string): TeachingEvent => ({ type: 'saveSucceeded', version })

describe('teaching', () => {
  test('saves a pause after the last edit, and tells the provider', () => {
    const { state, commands } = after(edit(one), edit(two), due, saved('v2'))
    expect(state).toEqual(openTeaching({ knowledge: two, version: 'v2' }))
    expect(commands).toEqual([
      { type: 'waitForPause' },
      { type: 'waitForPause' },
      { type: 'save', knowledge: two, version: 'v1' },
      { type: 'publish' },
    ])
  })

  test('saves what is edited during a save after it, on the new version', () => {
    const { state, commands } = after(edit(one), due, edit(two), due, saved('v2'), due)
    expect(state).toMatchObject({ status: 'saving', sent: two })
    expect(commands).toEqual([
      { type: 'waitForPause' },
      { type: 'save', knowledge: one, version: 'v1' },
      { type: 'waitForPause' },
      { type: 'save', knowledge: two, version: 'v2' },
    ])
  })

  test('keeps what is typed if saving fails, and saves it with the next try or edit', () => {
    expect(after(edit(one), due, { type: 'saveFailed' }).state).toMatchObject({
      draft: one,
      status: 'failed',
    })
    const again = { type: 'save', knowledge: one, version: 'v1' }
    expect(after(edit(one), due, { type: 'saveFailed' }, due).commands.at(-1)).toEqual(again)
    expect(after(edit(one), due, { type: 'saveFailed' }, edit(two)).state.status).toBe('waiting')
  })

  test('171. a text that is too long is kept and not saved until it fits', () => {
    const long = { ...noKnowledge, about: 'x'.repeat(1_001) }
    expect(after(edit(one), edit(long), due)).toEqual({
      state: { ...opened, draft: long, status: 'refused' },
      commands: [{ type: 'waitForPause' }],
    })
    expect(after(edit(one), due, edit(long), saved('v2')).state).toMatchObject({
      draft: long,
      version: 'v2',
      status: 'refused',
    })
    expect(after(edit(one), due, edit(long), { type: 'saveFailed' }).state.status).toBe('refused')
    expect(after(edit(long), edit(two), due).commands.at(-1)).toMatchObject({ type: 'save', knowledge: two })
    const theirs = { knowledge: two, version: 'v9' }
    const overtaken = [edit(one), due, { type: 'overtaken', theirs }, edit(long)] as const
    const kept = after(...overtaken, { type: 'mineChosen' })
    expect(kept.state).toMatchObject({ draft: long, version: 'v9', status: 'refused' })
  })

  test('a change elsewhere is overwritten only by choice', () => {
    const theirs = { knowledge: two, version: 'v9' }
    const overtaken = [edit(one), due, { type: 'overtaken', theirs }] as const
    expect(after(...overtaken, due).state).toMatchObject({ draft: one, status: 'overtaken', theirs })
    expect(after(...overtaken, { type: 'mineChosen' }).commands.at(-1)).toEqual({
      type: 'save',
      knowledge: one,
      version: 'v9',
    })
    expect(after(...overtaken, { type: 'theirsChosen' }).state).toEqual(openTeaching(theirs))
  })

  test('a save whose answer was lost does not conflict with itself', () => {
    const reordered = Object.fromEntries(Object.entries(one).reverse()) as typeof one
    const { state, commands } = after(edit(one), due, {
      type: 'overtaken',
      theirs: { knowledge: reordered, version: 'v2' },
    })
    expect(state).toMatchObject({ status: 'saved', version: 'v2' })
    expect(commands.at(-1)).toEqual({ type: 'publish' })
  })

  test.each<TeachingEvent>([
    due,
    saved('v2'),
    { type: 'saveFailed' },
    { type: 'overtaken', theirs: { knowledge: one, version: 'v2' } },
    { type: 'mineChosen' },
    { type: 'theirsChosen' },
  ])('what is saved stays as it is after $type', (event) => {
    expect(transition(opened, event)).toEqual({ state: opened, commands: [] })
  })
})
