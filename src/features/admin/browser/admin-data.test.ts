import { storageKey } from '#site'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdminUser } from '#admin/domain/admin-data.ts'
import { createAdminData, type AdminDataStore } from './admin-data.ts'
import {
  memoryServer,
  memoryStorage,
  published,
  type MemoryServer,
  type MemoryStorage,
} from '../../../../tests/support/admin-data.ts'

const now = 1_763_683_200_000
const user = (id: string, subscriptionStatus: string | null = 'active'): AdminUser => ({
  id,
  email: `${id}@hotel.example`,
  plan: 'growth',
  subscriptionStatus,
  minutesUsed: 10,
  minutesLimit: 750,
})

let storage: MemoryStorage
let server: MemoryServer
beforeEach(() => {
  storage = memoryStorage()
  server = memoryServer()
})

async function opened(own = storage): Promise<AdminDataStore> {
  const store = createAdminData({ storage: () => own, server, build: published, now: () => now })
  await store.open()
  return store
}
const stored = (name: string): Record<string, unknown>[] =>
  JSON.parse(storage.values.get(storageKey(`${name}`)) ?? 'null')
const states = (store: AdminDataStore) => store.state.get().unsaved.map(({ state }) => state)
const saved = (store: AdminDataStore) => vi.waitFor(() => expect(store.state.get().unsaved).toEqual([]))
const faq = (store: AdminDataStore, id: string) => store.state.get().data.faqs.find((each) => each.id === id)
const fresh = { question: 'Do you answer at night?', answer: 'Yes.' }

describe('without a server', () => {
  beforeEach(() => {
    server.isDown = true
  })

  test('starts with three demos and nine FAQs, and stores them', async () => {
    const { data } = (await opened()).state.get()
    expect([data.demos.length, data.faqs.length]).toEqual([3, 9])
    expect([stored('demos').length, stored('faqs').length]).toEqual([3, 9])
  })

  test('starts with them also without the published build', async () => {
    server.readBuild = () => Promise.resolve(undefined)
    const { data } = (await opened()).state.get()
    expect([data.demos.length, data.faqs.length]).toEqual([3, 9])
    expect([stored('demos').length, stored('faqs').length]).toEqual([3, 9])
  })

  test('does not seed a stored collection again', async () => {
    storage.values.set(storageKey('faqs'), '[]')
    const { data } = (await opened()).state.get()
    expect([data.demos.length, data.faqs.length]).toEqual([3, 0])
  })

  test('stores every change at once', async () => {
    storage.values.set(storageKey('users'), JSON.stringify([user('ann')]))
    const store = await opened()
    const id = store.addFaq(fresh)
    expect(id).toBe(String(now))
    expect(stored('faqs').at(-1)).toEqual({ id, ...fresh })
    store.updateFaq(id, { answer: 'Always.' })
    expect(stored('faqs').at(-1)).toMatchObject({ answer: 'Always.' })
    store.deleteFaq(id)
    expect(stored('faqs')).toHaveLength(9)
    const demo = store.addDemo({ industry: 'spa', title: 'Spa', description: '', audioUrl: '/audio/spa.mp3' })
    store.updateDemo(demo, { title: 'The spa' })
    expect(stored('demos').at(-1)).toMatchObject({ id: demo, title: 'The spa' })
    store.deleteDemo(demo)
    expect(stored('demos')).toHaveLength(3)
    store.updateUser('ann', { subscriptionStatus: 'blocked' })
    store.addUser(user('bob'))
    expect(stored('users').map((each) => each.subscriptionStatus)).toEqual(['blocked', 'active'])
  })

  test('keeps a failed change marked, through a reload, until the server accepts it', async () => {
    const store = await opened()
    const id = store.addFaq(fresh)
    await vi.waitFor(() => expect(states(store)).toEqual(['failed']))
    const reopened = await opened()
    expect(reopened.state.get().unsaved).toMatchObject([{ id, state: 'failed' }])
    expect(faq(reopened, id)).toMatchObject(fresh)
    server.isDown = false
    reopened.retry()
    await saved(reopened)
    expect(server.faqs.get(id)?.record).toMatchObject(fresh)
    expect(stored('unsaved')).toEqual([])
  })

  test('finds and pages users from what this browser has stored', async () => {
    const people = Array.from({ length: 120 }, (_, index) =>
      user(`guest-${index}`, index % 2 ? 'active' : null),
    )
    storage.values.set(storageKey('users'), JSON.stringify(people))
    const store = await opened()
    await store.listUsers({ search: 'GUEST-1', status: 'active', page: 0 })
    const { page } = store.state.get().users
    expect(page.users).toHaveLength(16)
    expect(page.counts).toEqual({ all: 31, active: 16, blocked: 0, payment_failed: 0, other: 15 })
  })
})

describe('with a server', () => {
  test('without the published build, rows are added to the defaults, and no empty list is stored', async () => {
    server.readBuild = () => Promise.resolve(undefined)
    server.faqs.set('mine', { record: { id: 'mine', ...fresh, updatedAt: 'v0' }, deleted: false })
    const { data } = (await opened()).state.get()
    expect([data.demos.length, data.faqs.length]).toEqual([3, 10])
    expect([stored('demos').length, stored('faqs').length]).toEqual([3, 10])
  })

  test('a change that is saved after closing is not unsaved any more', async () => {
    server.users = [user('ann')]
    const store = await opened()
    const answer = server.hold()
    store.updateUser('ann', { subscriptionStatus: 'blocked' })
    expect(stored('unsaved')).toHaveLength(1)
    store.close()
    storage.values.delete(storageKey('users'))
    answer()
    await saved(store)
    expect(stored('unsaved')).toEqual([])
    expect(storage.values.has(storageKey('users'))).toBe(false)
  })

  test('an answer after closing is not stored', async () => {
    const store = await opened()
    server.users = [user('ann')]
    const listed = store.reload()
    store.close()
    storage.values.clear()
    await listed
    expect(store.state.get().data.users).toHaveLength(1)
    expect([...storage.values]).toEqual([])
  })

  test('rows replace stored data and seeds, and tombstones remove seeds', async () => {
    storage.values.set(storageKey('faqs'), JSON.stringify([{ id: 'stale', ...fresh }]))
    storage.values.set(storageKey('users'), JSON.stringify([user('gone')]))
    server.users = [user('ann')]
    server.faqs.set('faq-2', {
      record: { id: 'faq-2', question: 'Two?', answer: 'New.', updatedAt: 'v0' },
      deleted: false,
    })
    server.faqs.set('faq-3', {
      record: { id: 'faq-3', question: 'Three?', answer: '', updatedAt: 'v0' },
      deleted: true,
    })
    const store = await opened()
    const ids = store.state.get().data.faqs.map(({ id }) => id)
    expect(ids).toEqual(['faq-1', 'faq-2', 'faq-4', 'faq-5', 'faq-6', 'faq-7', 'faq-8', 'faq-9'])
    expect(faq(store, 'faq-2')?.answer).toBe('New.')
    expect(stored('faqs')).toHaveLength(8)
    expect(stored('users').map(({ id }) => id)).toEqual(['ann'])
  })

  test('a change is sent with its base version, and gets the new version', async () => {
    const store = await opened()
    const id = store.addFaq(fresh)
    expect(states(store)).toEqual(['waiting'])
    await saved(store)
    store.updateFaq(id, { answer: 'Always.' })
    await saved(store)
    expect(server.writes.map(({ base }) => base)).toEqual([null, 'v1'])
    expect(faq(store, id)?.updatedAt).toBe('v2')
    store.deleteFaq('faq-1')
    await saved(store)
    expect(server.faqs.get('faq-1')?.deleted).toBe(true)
  })

  test('changes made during a write are sent after it, merged into one', async () => {
    const store = await opened()
    const release = server.hold()
    const id = store.addFaq(fresh)
    store.updateFaq(id, { answer: 'One.' })
    store.updateFaq(id, { answer: 'Two.' })
    expect(server.writes).toHaveLength(1)
    release()
    await saved(store)
    expect(server.writes).toHaveLength(2)
    expect(server.faqs.get(id)?.record.answer).toBe('Two.')
    expect(faq(store, id)).toMatchObject({ answer: 'Two.', updatedAt: 'v2' })
  })

  test('two admins do not overwrite each other: either version can be chosen', async () => {
    const [one, other] = [await opened(), await opened(memoryStorage())]
    one.updateFaq('faq-1', { answer: 'Mine.' })
    await saved(one)
    other.updateFaq('faq-1', { answer: 'Theirs.' })
    await vi.waitFor(() => expect(states(other)).toEqual(['conflict']))
    expect(other.state.get().unsaved[0]).toMatchObject({
      record: { answer: 'Theirs.' },
      theirs: { answer: 'Mine.' },
    })
    expect(server.faqs.get('faq-1')?.record.answer).toBe('Mine.')
    other.resolve({ collection: 'faqs', id: 'faq-1' }, 'mine')
    await saved(other)
    expect(server.faqs.get('faq-1')?.record.answer).toBe('Theirs.')

    one.updateFaq('faq-1', { answer: 'Again mine.' })
    await vi.waitFor(() => expect(states(one)).toEqual(['conflict']))
    one.resolve({ collection: 'faqs', id: 'faq-1' }, 'theirs')
    expect(faq(one, 'faq-1')?.answer).toBe('Theirs.')
    expect(one.state.get().unsaved).toEqual([])
  })

  test('a change whose answer was lost does not conflict with itself when it is sent again', async () => {
    const store = await opened()
    const id = String(now)
    server.faqs.set(id, { record: { id, ...fresh, updatedAt: 'v9' }, deleted: false })
    store.addFaq(fresh)
    await saved(store)
    expect(faq(store, id)?.updatedAt).toBe('v9')
  })

  test('a status that has changed in the meantime is not overwritten', async () => {
    server.users = [user('ann')]
    const store = await opened()
    server.users[0]!.subscriptionStatus = 'payment_failed'
    store.updateUser('ann', { subscriptionStatus: 'blocked' })
    await vi.waitFor(() => expect(states(store)).toEqual(['conflict']))
    store.resolve({ collection: 'users', id: 'ann' }, 'mine')
    await saved(store)
    expect(server.users[0]?.subscriptionStatus).toBe('blocked')
    expect(store.state.get().users.page.users[0]?.subscriptionStatus).toBe('blocked')
  })
})

describe('two tabs', () => {
  test('see each other’s changes, and add to them', async () => {
    server.isDown = true
    const [one, other] = [await opened(), await opened()]
    const first = one.addFaq({ question: 'One?', answer: '1' })
    // The storage event has not arrived yet.
    const second = other.addFaq({ question: 'Two?', answer: '2' })
    one.onStorage(storageKey('faqs'))
    for (const store of [one, other])
      expect(
        store.state
          .get()
          .data.faqs.map(({ id }) => id)
          .slice(-2),
      ).toEqual([first, second])
    expect(second).not.toBe(first)
  })

  test('rows that were read before a change of the other tab do not undo it', async () => {
    const [one, other] = [await opened(), await opened()]
    const { readRows } = server
    let answer: (() => void) | undefined
    server.readRows = async () => {
      const rows = await readRows()
      await new Promise<void>((resolve) => (answer = resolve))
      return rows
    }
    const reloaded = one.reload()
    await vi.waitFor(() => expect(answer).toBeDefined())
    server.readRows = readRows
    other.updateFaq('faq-1', { answer: 'Theirs.' })
    await saved(other)
    answer!()
    await reloaded
    for (const store of [one, other]) expect(faq(store, 'faq-1')?.answer).toBe('Theirs.')
    expect(stored('faqs')[0]).toMatchObject({ answer: 'Theirs.' })
  })

  test('rows that a tab stores before it sees a change of the other tab do not undo it', async () => {
    let seen: Map<string, string> | undefined
    const late: MemoryStorage = {
      ...storage,
      getItem: (key) => (seen ?? storage.values).get(key) ?? null,
      setItem(key, text) {
        storage.setItem(key, text)
        seen?.set(key, text)
      },
    }
    const [one, other] = [await opened(late), await opened()]
    seen = new Map(storage.values)
    const { readRows } = server
    const before = await readRows()
    other.updateFaq('faq-1', { answer: 'Theirs.' })
    await saved(other)
    server.readRows = () => Promise.resolve(before)
    await one.reload()
    server.readRows = readRows
    seen = undefined
    expect(stored('faqs')[0]).not.toMatchObject({ answer: 'Theirs.' })
    other.onStorage(storageKey('faqs'))
    await vi.waitFor(() => expect(stored('faqs')[0]).toMatchObject({ answer: 'Theirs.' }))
    one.onStorage(storageKey('faqs'))
    for (const store of [one, other]) expect(faq(store, 'faq-1')?.answer).toBe('Theirs.')
  })
})

describe('a storage that fails', () => {
  test.each(['users', 'demos', 'faqs'])('damaged text under %s is set aside and reported', async (name) => {
    server.isDown = true
    storage.values.set(storageKey(`${name}`), '[{"id":"1763')
    const store = await opened()
    const keptAs = storageKey(`${name}_damaged_${now}`)
    expect(store.state.get().problems).toEqual([{ kind: 'damaged', name, text: '[{"id":"1763', keptAs }])
    expect(storage.values.get(keptAs)).toBe('[{"id":"1763')
    expect(store.state.get().data.faqs).toHaveLength(9)
    store.addFaq(fresh)
    expect(stored('faqs')).toHaveLength(10)
  })

  test('the readable part of a damaged list stays', async () => {
    server.isDown = true
    storage.values.set(storageKey('faqs'), JSON.stringify([{ id: '1', ...fresh }, { id: 2 }]))
    const store = await opened()
    expect(store.state.get().data.faqs).toEqual([{ id: '1', ...fresh }])
    expect(store.state.get().problems).toMatchObject([{ kind: 'damaged', name: 'faqs' }])
  })

  test('damaged text that cannot be set aside is not overwritten', async () => {
    server.isDown = true
    storage.values.set(storageKey('faqs'), 'broken')
    storage.room = 30
    const store = await opened()
    store.addFaq(fresh)
    expect(storage.values.get(storageKey('faqs'))).toBe('broken')
    expect(store.state.get().data.faqs.at(-1)).toMatchObject(fresh)
    expect(store.state.get().problems).toContainEqual({
      kind: 'damaged',
      name: 'faqs',
      text: 'broken',
      keptAs: null,
    })
  })

  test('a full storage is reported until there is room again, and the data stays in the page', async () => {
    const store = await opened()
    storage.room = 0
    const id = store.addFaq(fresh)
    expect(store.state.get().problems).toContainEqual({ kind: 'full', name: 'faqs' })
    expect(faq(store, id)).toMatchObject(fresh)
    await saved(store)
    expect(server.faqs.has(id)).toBe(true)
    storage.room = Infinity
    store.updateFaq(id, { answer: 'Always.' })
    await saved(store)
    expect(store.state.get().problems).toEqual([])
    expect(stored('faqs').at(-1)).toMatchObject({ answer: 'Always.' })
  })

  test('a recording is kept here if there is room for the demo, else uploaded, else refused', async () => {
    const store = await opened()
    const dataUrl = `data:audio/wav;base64,${'A'.repeat(100_000)}`
    expect(await store.placeAudio(dataUrl)).toBe(dataUrl)
    const taken = [...storage.values].reduce((sum, [name, text]) => sum + name.length + text.length, 0)
    // Room for the list, but not for the unsaved change.
    storage.room = taken + 150_000
    expect(await store.placeAudio(dataUrl)).toBe(`/demos/${now}.wav`)
    server.isDown = true
    expect(await store.placeAudio(dataUrl)).toBeUndefined()
    expect(storage.values.has(storageKey('room'))).toBe(false)
  })

  test('a closed storage is reported, and the data stays in the page', async () => {
    storage.isClosed = true
    server.isDown = true
    const store = await opened()
    expect(store.state.get().problems.map(({ kind }) => kind)).toContain('closed')
    expect(store.state.get().data.faqs).toHaveLength(9)
    const id = store.addFaq(fresh)
    expect(faq(store, id)).toMatchObject(fresh)
  })
})
