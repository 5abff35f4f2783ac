import { storageKey } from '#site'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { firstUsers } from '#admin/domain/users.ts'
import { createAdminData, type AdminDataStore } from './admin-data.ts'
import {
  memoryServer,
  memoryStorage,
  published,
  type MemoryServer,
  type MemoryStorage,
} from '../../../../../tests/support/admin-data.ts'

const now = 1_763_683_200_000
const user = (id: string, subscriptionStatus: string | null = 'active'): AdminUser => ({
  id,
  email: `${id}@hotel.example`,
  plan: 'growth',
  subscriptionStatus,
  minutesUsed: 10,
  minutesLimit: 750,
})
const fresh = { question: 'Do you answer at night?', answer: 'Yes.' }
const first = { collection: 'faqs', id: 'faq-1' } as const
const ann = { collection: 'users', id: 'ann' } as const

let storage: MemoryStorage
let server: MemoryServer
let events: EventTarget
beforeEach(() => {
  storage = memoryStorage()
  server = memoryServer()
  events = new EventTarget()
})

/** Opens the admin's data in another tab of the same browser. */
async function opened(): Promise<AdminDataStore> {
  const store = createAdminData({ storage: () => storage, events, server, build: published, now: () => now })
  await store.open()
  return store
}
const stored = (name: string): Record<string, unknown>[] =>
  JSON.parse(storage.values.get(storageKey(name)) ?? 'null')
/** Stores a list as another tab would do. */
function storeElsewhere(name: string, records: unknown): void {
  storage.values.set(storageKey(name), JSON.stringify(records))
  events.dispatchEvent(new Event('storage'))
}
const outcomes = (store: AdminDataStore) => store.state.get().unsaved.map(({ outcome }) => outcome.kind)
const settled = (store: AdminDataStore, ...kinds: string[]) =>
  vi.waitFor(() => expect(outcomes(store)).toEqual(kinds))
const faq = (store: AdminDataStore, id = 'faq-1') =>
  store.state.get().data.faqs.find((each) => each.id === id)
const down = (): void => void (server.isDown = true)
/** Answers the next reading of the rows with those of now, once the returned function is called. */
async function delayRows(): Promise<() => void> {
  const { readRows } = server
  const rows = await readRows()
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  server.readRows = async () => {
    server.readRows = readRows
    await answered
    return rows
  }
  return answer
}

describe('without a server', () => {
  beforeEach(down)

  test('three demos and nine FAQs are seeded and stored, and a stored list is not seeded again', async () => {
    storage.values.set(storageKey('demos'), '[]')
    const { data } = (await opened()).state.get()
    expect([data.demos.length, data.faqs.length]).toEqual([0, 9])
    expect([stored('users'), stored('demos'), stored('faqs').length]).toEqual([[], [], 9])
    storage.values.clear()
    expect((await opened()).state.get().data.demos).toHaveLength(3)
    expect(stored('demos')).toHaveLength(3)
  })

  test('every change is stored at once, with its mark; a deleted record is hidden', async () => {
    storage.values.set(storageKey('users'), JSON.stringify([user('ann')]))
    const store = await opened()
    const id = store.addFaq(fresh)
    expect(id).toBe(String(now))
    expect(stored('faqs').at(-1)).toEqual({ id, ...fresh, unsaved: { base: null } })
    store.updateFaq(id, { answer: 'Always.' })
    expect(stored('faqs').at(-1)).toMatchObject({ answer: 'Always.', unsaved: { base: null } })
    store.deleteFaq(id)
    expect(stored('faqs').at(-1)).toMatchObject({ id, unsaved: { base: null, deleted: true } })
    expect(store.state.get().data.faqs).toHaveLength(9)
    const demo = store.addDemo({ industry: 'spa', title: 'Spa', description: '', audioUrl: '/audio/spa.mp3' })
    store.updateDemo(demo, { title: 'The spa' })
    expect(stored('demos').at(-1)).toMatchObject({ id: demo, title: 'The spa' })
    store.deleteDemo(demo)
    expect(store.state.get().data.demos).toHaveLength(3)
    store.updateUser('ann', { subscriptionStatus: 'blocked' })
    store.addUser(user('bob'))
    expect(stored('users')).toEqual([{ ...user('ann', 'blocked'), unsaved: { base: 'active' } }, user('bob')])
  })
})

describe('with a server', () => {
  test('rows replace stored data and seeds, and tombstones remove seeds; without the build too', async () => {
    storage.values.set(storageKey('faqs'), JSON.stringify([{ id: 'stale', ...fresh }]))
    const row = (id: string, deleted: boolean) => ({ record: { id, ...fresh, updatedAt: 'v0' }, deleted })
    server.faqs.set('faq-2', row('faq-2', false)).set('faq-3', row('faq-3', true))
    const store = await opened()
    expect(stored('faqs').map(({ id }) => id)).toEqual(
      published.faqs.map(({ id }) => id).filter((id) => id !== 'faq-3'),
    )
    expect(faq(store, 'faq-2')).toMatchObject({ ...fresh, updatedAt: 'v0' })
    server.readBuild = () => Promise.resolve(undefined)
    await store.reload()
    expect(stored('faqs')).toHaveLength(8)
  })

  test('of 10,000 users only the page on screen is stored, and what is not confirmed', async () => {
    server.users = Array.from({ length: 10_000 }, (_, index) => user(String(index).padStart(4, '0')))
    const store = await opened()
    expect([stored('users').length, stored('users')[0]?.id]).toEqual([50, '0000'])
    const answer = server.hold()
    store.updateUser('0007', { subscriptionStatus: 'blocked' })
    const turned = store.listUsers({ ...firstUsers, page: 1 })
    expect(store.state.get().users).toMatchObject({ page: { users: [] }, loading: true })
    await turned
    expect(stored('users').map(({ id }) => id)).toEqual([
      ...server.users.slice(50, 100).map(({ id }) => id),
      '0007',
    ])
    expect(store.state.get().users.page.users).toHaveLength(50)
    answer()
    await settled(store)
    expect(server.users[7]?.subscriptionStatus).toBe('blocked')
    down()
    await store.reload()
    expect(store.state.get().users.page.users[0]?.id).toBe('0050')
    server.isDown = false
    await store.reload()
    const back = store.listUsers({ ...firstUsers, page: 0 })
    expect(store.state.get().users).toMatchObject({ page: { users: [] }, loading: true })
    await back
    expect(store.state.get().users.page.users[0]?.id).toBe('0000')
  })

  test('a change is sent with its base; changes made meanwhile are sent after it, as one', async () => {
    const store = await opened()
    const release = server.hold()
    const id = store.addFaq(fresh)
    expect(outcomes(store)).toEqual(['waiting'])
    store.updateFaq(id, { answer: 'One.' })
    store.updateFaq(id, { answer: 'Two.' })
    expect(server.writes).toHaveLength(1)
    release()
    await settled(store)
    expect(server.writes.map(({ unsaved }) => unsaved?.base)).toEqual([null, 'v1'])
    expect(server.faqs.get(id)?.record.answer).toBe('Two.')
    expect(faq(store, id)).toMatchObject({ answer: 'Two.', updatedAt: 'v2' })
    store.deleteFaq(id)
    await settled(store)
    expect(server.faqs.get(id)?.deleted).toBe(true)
    store.restore('faqs', { id, ...fresh })
    await settled(store)
    expect(server.faqs.get(id)).toMatchObject({ record: fresh, deleted: false })
  })

  test('a row that has changed meanwhile is not overwritten: either version can be chosen', async () => {
    const store = await opened()
    const changeElsewhere = (updatedAt: string, deleted = false) =>
      server.faqs.set('faq-1', { record: { id: 'faq-1', ...fresh, updatedAt }, deleted })
    changeElsewhere('v-a')
    store.updateFaq('faq-1', { answer: 'Mine.' })
    await settled(store, 'conflict')
    expect(store.state.get().unsaved[0]).toMatchObject({
      record: { answer: 'Mine.' },
      outcome: { record: fresh },
    })
    await store.reload()
    expect([outcomes(store), faq(store)?.answer]).toEqual([['conflict'], 'Mine.'])
    store.resolve(first, 'mine')
    await settled(store)
    expect(server.faqs.get('faq-1')?.record.answer).toBe('Mine.')

    changeElsewhere('v-b')
    store.deleteFaq('faq-1')
    await settled(store, 'conflict')
    store.resolve(first, 'theirs')
    expect([outcomes(store), faq(store)]).toEqual([[], { id: 'faq-1', ...fresh, updatedAt: 'v-b' }])

    changeElsewhere('v-c', true)
    store.updateFaq('faq-1', { answer: 'Mine again.' })
    await settled(store, 'conflict')
    store.resolve(first, 'theirs')
    expect([faq(store), stored('faqs').length]).toEqual([undefined, 8])
  })

  test('a status that has changed meanwhile is not overwritten', async () => {
    server.users = [user('ann')]
    const store = await opened()
    server.users[0]!.subscriptionStatus = 'payment_failed'
    store.updateUser('ann', { subscriptionStatus: 'blocked' })
    await settled(store, 'conflict')
    store.resolve(ann, 'mine')
    await settled(store)
    expect(server.users[0]?.subscriptionStatus).toBe('blocked')
    expect(store.state.get().users.page.users).toEqual([user('ann', 'blocked')])
  })

  test('after the log-out nothing is stored, and what was being sent does not conflict with itself', async () => {
    server.users = [user('ann')]
    const store = await opened()
    const answer = server.hold()
    const id = store.addFaq(fresh)
    store.updateUser('ann', { subscriptionStatus: 'blocked' })
    const listed = store.reload()
    store.close()
    storage.values.delete(storageKey('users'))
    answer()
    await listed
    await vi.waitFor(() => expect(server.users[0]?.subscriptionStatus).toBe('blocked'))
    expect(storage.values.has(storageKey('users'))).toBe(false)
    expect(stored('faqs').at(-1)).toMatchObject({ id, unsaved: { base: null } })
    const reopened = await opened()
    await settled(reopened)
    expect(faq(reopened, id)).toEqual({ id, ...fresh, updatedAt: 'v1' })
  })
})

describe('two tabs', () => {
  test('add to each other’s changes, also before the storage event arrives', async () => {
    down()
    const [one, other] = [await opened(), await opened()]
    const ids = [
      one.addFaq({ question: 'One?', answer: '1' }),
      other.addFaq({ question: 'Two?', answer: '2' }),
    ]
    expect(ids).toEqual([String(now), String(now + 1)])
    events.dispatchEvent(new Event('storage'))
    for (const store of [one, other])
      expect(
        store.state
          .get()
          .data.faqs.slice(-2)
          .map(({ id }) => id),
      ).toEqual(ids)
  })

  test.each([
    [
      'changed',
      (store: AdminDataStore) => store.updateFaq('faq-1', { answer: 'The first.' }),
      { answer: 'The first.' },
    ],
    ['deleted', (store: AdminDataStore) => store.deleteFaq('faq-1'), null],
  ])('an edit of what another tab has just %s asks which version stays', async (_, change, record) => {
    const [one, other] = [await opened(), await opened()]
    change(one)
    await settled(one)
    // The storage event has not arrived yet.
    other.updateFaq('faq-1', { answer: 'The second.' })
    await settled(other, 'conflict')
    expect(other.state.get().unsaved).toMatchObject([
      { record: { answer: 'The second.' }, outcome: { record } },
    ])
  })

  test('127. Rows that were read before a change of the other tab do not undo it', async () => {
    const [one, other] = [await opened(), await opened()]
    const answer = await delayRows()
    const reloaded = one.reload()
    other.updateFaq('faq-1', { answer: 'Theirs.' })
    await settled(other)
    answer()
    await reloaded
    for (const store of [one, other]) expect(faq(store)?.answer).toBe('Theirs.')
    expect(stored('faqs')[0]).toMatchObject({ answer: 'Theirs.' })
  })

  test('rows that a tab stores before it sees a change of the other tab do not undo it', async () => {
    const store = await opened()
    const before = stored('faqs')
    store.updateFaq('faq-1', { answer: 'Mine.' })
    await settled(store)
    storeElsewhere('faqs', before)
    await vi.waitFor(() => expect(stored('faqs')[0]).toMatchObject({ answer: 'Mine.' }))
  })
})

describe('a storage that fails', () => {
  test.each(['users', 'demos', 'faqs'])('damaged text under %s is set aside and reported', async (name) => {
    down()
    storage.values.set(storageKey(name), '[{"id":"1763')
    const store = await opened()
    const keptAs = storageKey(`${name}_damaged_${now}`)
    const { problems, data, isAtRisk } = store.state.get()
    expect(problems).toEqual([{ kind: 'damaged', name, text: '[{"id":"1763', keptAs }])
    expect(storage.values.get(keptAs)).toBe('[{"id":"1763')
    expect([data.users.length, data.demos.length, data.faqs.length, isAtRisk]).toEqual([0, 3, 9, false])
    store.addFaq(fresh)
    expect(stored('faqs')).toHaveLength(10)
  })

  test('the readable part of a damaged list stays', async () => {
    down()
    storage.values.set(storageKey('faqs'), JSON.stringify([{ id: '1', ...fresh }, { id: 2 }]))
    const { data, problems } = (await opened()).state.get()
    expect(data.faqs).toEqual([{ id: '1', ...fresh }])
    expect(problems).toMatchObject([{ kind: 'damaged', name: 'faqs' }])
  })

  test('damaged text that cannot be set aside is not overwritten', async () => {
    down()
    storage.values.set(storageKey('faqs'), 'broken')
    storage.room = 30
    const store = await opened()
    storage.room = Infinity
    store.addFaq(fresh)
    events.dispatchEvent(new Event('storage'))
    expect(storage.values.get(storageKey('faqs'))).toBe('broken')
    const { data, problems, isAtRisk } = store.state.get()
    expect([data.faqs.at(-1), isAtRisk]).toMatchObject([fresh, true])
    expect(problems).toContainEqual({ kind: 'damaged', name: 'faqs', text: 'broken', keptAs: null })
  })

  test.each(['full', 'closed'] as const)(
    'if it is %s, the page keeps all data, until it can be stored',
    async (kind) => {
      const store = await opened()
      down()
      if (kind === 'full') storage.room = 0
      else storage.isClosed = true
      const id = store.addFaq(fresh)
      store.deleteFaq('faq-1')
      events.dispatchEvent(new Event('storage'))
      await settled(store, 'failed', 'failed')
      const { problems, isAtRisk } = store.state.get()
      expect([problems, isAtRisk]).toEqual([[{ kind, name: 'faqs', keptAs: null }], true])
      expect([faq(store), faq(store, id)]).toMatchObject([undefined, fresh])
      server.isDown = false
      store.retry()
      await settled(store)
      expect([server.faqs.has(id), store.state.get().isAtRisk]).toEqual([true, false])
      storage.room = Infinity
      storage.isClosed = false
      await store.reload()
      expect(store.state.get().problems).toEqual([])
      expect(stored('faqs').at(-1)).toMatchObject({ id, ...fresh })
    },
  )

  test('what had no room is added to what another tab has stored meanwhile', async () => {
    const store = await opened()
    down()
    storage.room = 0
    const id = store.addFaq(fresh)
    store.deleteDemo('clinic')
    storage.room = Infinity
    storeElsewhere('faqs', [{ id: 'theirs', ...fresh }])
    expect(stored('faqs').map((each) => each.id)).toEqual(['theirs', id])
    expect(stored('demos')[2]).toMatchObject({ id: 'clinic', unsaved: { deleted: true } })
    expect(store.state.get().problems).toEqual([])
  })

  test('a recording is kept here if there is room for the demo, else uploaded, else refused', async () => {
    const store = await opened()
    const dataUrl = `data:audio/wav;base64,${'A'.repeat(100_000)}`
    expect(await store.placeAudio(dataUrl)).toBe(dataUrl)
    storage.room = 100_000
    expect(await store.placeAudio(dataUrl)).toBe(`/demos/${now}.wav`)
    down()
    expect(await store.placeAudio(dataUrl)).toBeUndefined()
    expect(storage.values.has(storageKey('room'))).toBe(false)
  })
})
