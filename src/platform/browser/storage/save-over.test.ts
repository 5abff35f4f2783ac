import { storageKey } from '#site'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openBrowserPage, storedSession } from '../../../../tests/support/browser-page.ts'

interface Row {
  user_id: string
  business_name: string | null
  greeting: string | null
  updated_at: string
}
let row: Row | null
/** What another tab does between our reading and our writing. */
let meanwhile: (() => void) | undefined
let isDown: boolean

/** The table as PostgREST serves it: a change takes place only if the row still has the named version. */
async function answer(request: Request): Promise<Response> {
  if (isDown) throw new TypeError('fetch failed')
  const one = (found: Row | null): Response => Response.json(found ? [found] : [])
  if (request.method === 'GET') return one(row)
  meanwhile?.()
  meanwhile = undefined
  const version = new URL(request.url).searchParams.get('updated_at')
  const change = (await request.json()) as Partial<Row>
  if (version === null ? row : !row || version !== `eq.${row.updated_at}`) return one(null)
  const empty = { user_id: 'a1', business_name: null, greeting: null, updated_at: '1' }
  row = { ...(row ?? empty), ...change, updated_at: `${row?.updated_at}+` }
  return one(row)
}
vi.resetModules()
const page = openBrowserPage(answer)
page.localStorage.setItem(storageKey('auth'), JSON.stringify(storedSession('a1')))
const { saveOver } = await import('./save-over.ts')
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => {
  row = { user_id: 'a1', business_name: 'Ekman', greeting: null, updated_at: '1' }
  meanwhile = undefined
  isDown = false
})
const save = (value: string | null, known: string | null) =>
  saveOver('agent_settings', 'a1', 'business_name', { value, known })

test('170. A value is saved over the one that is known, also if other columns changed, and the first one', async () => {
  meanwhile = () => (row = { ...row!, greeting: 'Hi', updated_at: '2' })
  expect(await save('Berg', 'Ekman')).toEqual({ kind: 'saved' })
  expect(row).toMatchObject({ business_name: 'Berg', greeting: 'Hi' })
  row = null
  expect(await save('Dahl', null)).toEqual({ kind: 'saved' })
  expect(row).toMatchObject({ business_name: 'Dahl' })
})

test('170. A value that somebody else has saved is not overwritten, whenever that was', async () => {
  expect(await save('Berg', 'Lindgren')).toEqual({ kind: 'overtaken', theirs: 'Ekman' })
  meanwhile = () => (row = { ...row!, business_name: 'Holm', updated_at: '2' })
  expect(await save('Berg', 'Ekman')).toEqual({ kind: 'overtaken', theirs: 'Holm' })
  row = null
  meanwhile = () => (row = { user_id: 'a1', business_name: 'Ek', greeting: null, updated_at: '1' })
  expect(await save('Berg', null)).toEqual({ kind: 'overtaken', theirs: 'Ek' })
  expect(row).toMatchObject({ business_name: 'Ek' })
})

test('a save whose answer was lost does not conflict with itself, and a failure says so', async () => {
  expect(await save('Ekman', 'Lindgren')).toEqual({ kind: 'saved' })
  isDown = true
  expect(await save('Berg', 'Ekman')).toEqual({ kind: 'failed' })
})
