import { expect, test } from 'vitest'
import { initialState, transition, type AdminEvent, type AdminState } from './admin-state.ts'
import type { UnsavedChange } from './unsaved-changes.ts'

const faq = { id: 'faq-1', question: 'One?', answer: '1', updatedAt: 'v1' }
const edited = { ...faq, answer: 'Mine.' }
const theirs = { ...faq, answer: 'Theirs.', updatedAt: 'v2' }
const ann = {
  id: 'ann',
  email: 'ann@hotel.example',
  plan: 'growth',
  subscriptionStatus: 'active',
  minutesUsed: 10,
  minutesLimit: 750,
}
const key = { collection: 'faqs', id: 'faq-1' } as const
const waiting: UnsavedChange = {
  ...key,
  action: 'put',
  record: edited,
  base: 'v1',
  revision: 1,
  state: 'waiting',
}
const failed: UnsavedChange = { ...waiting, state: 'failed', reason: 'Down.' }
const conflict: UnsavedChange = { ...waiting, state: 'conflict', theirs, theirVersion: 'v2' }

const online: AdminState = {
  ...initialState,
  server: 'online',
  data: { users: [ann], demos: [], faqs: [faq] },
  rows: { 'faqs/faq-1': 'v1' },
}
const offline: AdminState = { ...online, server: 'offline' }
const withUnsaved = (...unsaved: UnsavedChange[]): AdminState => ({
  ...online,
  data: { ...online.data, faqs: [edited] },
  unsaved,
})
const sending = (...unsaved: UnsavedChange[]): AdminState => ({ ...withUnsaved(...unsaved), sending: [key] })

const store = (...names: ('users' | 'demos' | 'faqs' | 'unsaved')[]) => ({ type: 'store', names })
const send = (change: object) => ({ type: 'send', change: expect.objectContaining(change) })
const sent = (
  outcome: Extract<AdminEvent, { type: 'changeSent' }>['outcome'],
  change = waiting,
): AdminEvent => ({
  type: 'changeSent',
  change,
  outcome,
})

const rows: [string, AdminState, AdminEvent, object, object[]][] = [
  [
    'what was not stored is to be seeded, and what was not sent has failed',
    initialState,
    { type: 'opened', stored: { faqs: [faq], unsaved: [waiting] } },
    { data: { users: [], demos: [], faqs: [faq] }, unseeded: ['demos'], unsaved: [{ state: 'failed' }] },
    [],
  ],
  [
    'what another tab has stored is taken over, and not stored again',
    online,
    { type: 'storedElsewhere', stored: { faqs: [edited], unsaved: [waiting] } },
    { data: { users: [ann], faqs: [edited] }, unsaved: [waiting], sending: [] },
    [],
  ],
  [
    'an update is stored, and sent with the version it is based on',
    online,
    { type: 'recordUpdated', key, fields: { answer: 'Mine.' } },
    { data: { faqs: [edited] }, unsaved: [waiting], sending: [key] },
    [store('faqs', 'unsaved'), send(waiting)],
  ],
  [
    'an update of a record that is gone changes nothing',
    online,
    { type: 'recordUpdated', key: { ...key, id: 'gone' }, fields: { answer: 'Mine.' } },
    online,
    [],
  ],
  [
    'an update during a write waits, and keeps its base',
    sending(waiting),
    { type: 'recordUpdated', key, fields: { answer: 'Again.' } },
    { unsaved: [{ base: 'v1', revision: 2, state: 'waiting' }], sending: [key] },
    [store('faqs', 'unsaved')],
  ],
  [
    'a status is based on the status before',
    online,
    {
      type: 'recordUpdated',
      key: { collection: 'users', id: 'ann' },
      fields: { subscriptionStatus: 'blocked' },
    },
    { data: { users: [{ subscriptionStatus: 'blocked' }] } },
    [store('users', 'unsaved'), send({ collection: 'users', base: 'active' })],
  ],
  [
    'a deletion takes the record away at once',
    online,
    { type: 'recordDeleted', key },
    { data: { faqs: [] }, unsaved: [{ action: 'delete', record: faq }] },
    [store('faqs', 'unsaved'), send({ action: 'delete', base: 'v1' })],
  ],
  [
    'a restored record is based on the version of its row',
    { ...online, data: { ...online.data, faqs: [] } },
    { type: 'contentPut', collection: 'faqs', record: edited },
    { data: { faqs: [edited] } },
    [store('faqs', 'unsaved'), send({ base: 'v1' })],
  ],
  [
    'a new record is based on nothing',
    online,
    { type: 'contentPut', collection: 'faqs', record: { id: '7', question: 'Q', answer: 'A' } },
    { data: { faqs: [faq, { id: '7' }] } },
    [store('faqs', 'unsaved'), send({ id: '7', base: null })],
  ],
  [
    'a user who is added is stored only',
    online,
    { type: 'userAdded', user: { ...ann, id: 'bob' } },
    { data: { users: [ann, { id: 'bob' }] }, unsaved: [] },
    [store('users')],
  ],
  [
    'a saved change takes the new version',
    sending(waiting),
    sent({ kind: 'saved', record: { ...edited, updatedAt: 'v2' }, version: 'v2' }),
    {
      data: { faqs: [{ answer: 'Mine.', updatedAt: 'v2' }] },
      unsaved: [],
      sending: [],
      rows: { 'faqs/faq-1': 'v2' },
    },
    [store('faqs', 'unsaved')],
  ],
  [
    'a record that was changed again is sent again, based on the new version',
    sending({ ...waiting, revision: 2, record: { ...edited, answer: 'Again.' } }),
    sent({ kind: 'saved', record: { ...edited, updatedAt: 'v2' }, version: 'v2' }),
    { data: { faqs: [edited] }, sending: [key] },
    [store('unsaved'), send({ base: 'v2', record: { ...edited, answer: 'Again.' } })],
  ],
  [
    'a change that was not taken stays, with the reason',
    sending(waiting),
    sent({ kind: 'failed', reason: 'Down.' }),
    { data: { faqs: [edited] }, unsaved: [failed], sending: [] },
    [store('unsaved')],
  ],
  [
    'a conflict keeps both versions',
    sending(waiting),
    sent({ kind: 'conflict', theirs, version: 'v2' }),
    { data: { faqs: [edited] }, unsaved: [conflict] },
    [store('unsaved')],
  ],
  [
    'the same change on both sides is no conflict',
    sending(waiting),
    sent({ kind: 'conflict', theirs: { ...edited, updatedAt: 'v2' }, version: 'v2' }),
    { data: { faqs: [{ updatedAt: 'v2' }] }, unsaved: [] },
    [store('faqs', 'unsaved')],
  ],
  [
    'an answer after a time without one brings the rows',
    { ...sending(waiting), server: 'offline' },
    sent({ kind: 'conflict', theirs: null, version: 'v2' }),
    { unsaved: [{ state: 'conflict', theirs: null }] },
    [store('unsaved'), { type: 'reload' }],
  ],
  [
    'my version of a conflict is sent again, based on theirs',
    withUnsaved(conflict),
    { type: 'conflictResolved', key, choice: 'mine' },
    { data: { faqs: [edited] }, unsaved: [{ state: 'waiting', base: 'v2' }] },
    [store('faqs', 'unsaved'), send({ base: 'v2', record: edited })],
  ],
  [
    'their version of a conflict takes the place of mine',
    withUnsaved(conflict),
    { type: 'conflictResolved', key, choice: 'theirs' },
    { data: { faqs: [theirs] }, unsaved: [], rows: { 'faqs/faq-1': 'v2' } },
    [store('faqs', 'unsaved')],
  ],
  [
    'their deletion takes my version away',
    withUnsaved({ ...conflict, theirs: null }),
    { type: 'conflictResolved', key, choice: 'theirs' },
    { data: { faqs: [] }, unsaved: [] },
    [store('faqs', 'unsaved')],
  ],
  [
    'nothing is resolved that is no conflict',
    withUnsaved(failed),
    { type: 'conflictResolved', key, choice: 'theirs' },
    withUnsaved(failed),
    [],
  ],
  [
    'what failed is sent again',
    withUnsaved(failed),
    { type: 'retried' },
    { unsaved: [{ state: 'waiting' }], sending: [key] },
    [store('unsaved'), send({ state: 'waiting' })],
  ],
  [
    'only what is named is sent again',
    withUnsaved(failed),
    { type: 'retried', key: { ...key, id: 'faq-2' } },
    { unsaved: [failed], sending: [] },
    [store('unsaved')],
  ],
  ['a conflict is not sent again', withUnsaved(conflict), { type: 'reloaded' }, {}, [store('unsaved')]],
  ['nothing is sent while the server does not answer', offline, { type: 'reloaded' }, offline, []],
  [
    'nothing is sent after the end',
    { ...withUnsaved(failed), isClosed: true },
    { type: 'retried' },
    { unsaved: [failed] },
    [],
  ],
  [
    'without rows the published entries take the place of what was not stored',
    { ...offline, unseeded: ['demos'] },
    {
      type: 'contentReceived',
      build: {
        builtAt: '',
        faqs: [],
        demos: [{ id: 'spa', industry: 'spa', title: 'Spa', description: '', audioUrl: '' }],
        settings: { contactEmail: null, maintenanceNotice: null },
        rows: {},
      },
      rows: undefined,
    },
    { server: 'offline', data: { faqs: [faq], demos: [{ id: 'spa' }] }, unseeded: [] },
    [store('demos')],
  ],
  [
    'the rows take the place of the data, under unsaved changes',
    withUnsaved(failed),
    {
      type: 'contentReceived',
      build: undefined,
      rows: { faqs: [{ record: theirs, deleted: false }], demos: [] },
    },
    { server: 'online', data: { faqs: [edited] }, rows: { 'faqs/faq-1': 'v2' } },
    [store('demos', 'faqs')],
  ],
  [
    'a page of users is first answered from the data',
    online,
    { type: 'usersRequested', query: { search: 'bob', status: null, page: 0 }, request: 1 },
    { users: { page: { total: 0 }, loading: true } },
    [],
  ],
  [
    'an answer to an earlier request is not taken',
    { ...online, users: { ...online.users, request: 2 } },
    { type: 'usersReceived', request: 1, page: { users: [], total: 0, counts: {} } },
    { users: { loading: true } },
    [],
  ],
  [
    'no answer leaves the users that are known',
    online,
    { type: 'usersReceived', request: 0, page: undefined },
    { server: 'offline', users: { loading: false }, data: { users: [ann] } },
    [],
  ],
  [
    'the first page takes the place of the users',
    online,
    { type: 'usersReceived', request: 0, page: { users: [{ ...ann, id: 'bob' }], total: 1, counts: {} } },
    { users: { page: { total: 1 }, loading: false }, data: { users: [{ id: 'bob' }] } },
    [store('users')],
  ],
  [
    'the problems of a key take the place of those before',
    { ...online, problems: [{ kind: 'full', name: 'faqs' }] },
    { type: 'storageChecked', name: 'faqs', problems: [] },
    { problems: [] },
    [],
  ],
]

test.each(rows)('%s', (_, state, event, expected, commands) => {
  const step = transition(state, event)
  expect(step.state).toMatchObject(expected)
  expect(step.commands).toEqual(commands)
})

test('a user on a page of a search joins those that are stored, and shows its change', () => {
  const bob = { ...ann, id: 'bob' }
  const events: AdminEvent[] = [
    { type: 'usersRequested', query: { search: 'bob', status: null, page: 0 }, request: 1 },
    { type: 'usersReceived', request: 1, page: { users: [bob], total: 1, counts: {} } },
    {
      type: 'recordUpdated',
      key: { collection: 'users', id: 'bob' },
      fields: { subscriptionStatus: 'blocked' },
    },
  ]
  const state = events.reduce((before, event) => transition(before, event).state, online)
  expect(state.data.users.map(({ id }) => id)).toEqual(['ann', 'bob'])
  expect(state.users.page.users).toMatchObject([{ id: 'bob', subscriptionStatus: 'blocked' }])
})
