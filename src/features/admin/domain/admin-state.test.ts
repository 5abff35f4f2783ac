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
const spa = { id: 'spa', industry: 'spa', title: 'Spa', description: '', audioUrl: '/audio/spa.mp3' }
const build = {
  builtAt: '2026-11-01T00:00:00.000Z',
  faqs: [{ id: 'faq-9', question: 'Nine?', answer: '9' }],
  demos: [spa],
  settings: { contactEmail: null, maintenanceNotice: null },
  rows: {},
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
  ...initialState(build),
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
    'opening seeds and stores absent collections, and marks unsent changes as failed',
    initialState(build),
    { type: 'opened', stored: { faqs: [faq], unsaved: [waiting] } },
    { data: { users: [], demos: [spa], faqs: [faq] }, unsaved: [{ state: 'failed' }] },
    [store('demos')],
  ],
  [
    'data that another tab has stored is taken over, and not stored again',
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
    [store('unsaved', 'faqs'), send(waiting)],
  ],
  [
    'an update of a missing record changes nothing',
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
    [store('unsaved', 'faqs')],
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
    [store('unsaved', 'users'), send({ collection: 'users', base: 'active' })],
  ],
  [
    'a deletion removes the record at once',
    online,
    { type: 'recordDeleted', key },
    { data: { faqs: [] }, unsaved: [{ action: 'delete', record: faq }] },
    [store('unsaved', 'faqs'), send({ action: 'delete', base: 'v1' })],
  ],
  [
    'a restored record is based on the version of its row',
    { ...online, data: { ...online.data, faqs: [] } },
    { type: 'contentPut', collection: 'faqs', record: edited },
    { data: { faqs: [edited] } },
    [store('unsaved', 'faqs'), send({ base: 'v1' })],
  ],
  [
    'a new record has no base version',
    online,
    { type: 'contentPut', collection: 'faqs', record: { id: '7', question: 'Q', answer: 'A' } },
    { data: { faqs: [faq, { id: '7' }] } },
    [store('unsaved', 'faqs'), send({ id: '7', base: null })],
  ],
  [
    'an added user is stored, but not sent',
    online,
    { type: 'userAdded', user: { ...ann, id: 'bob' } },
    { data: { users: [ann, { id: 'bob' }] }, unsaved: [] },
    [store('users')],
  ],
  [
    'a saved record gets its new version',
    sending(waiting),
    sent({ kind: 'saved', record: { ...edited, updatedAt: 'v2' }, version: 'v2' }),
    {
      data: { faqs: [{ answer: 'Mine.', updatedAt: 'v2' }] },
      unsaved: [],
      sending: [],
      rows: { 'faqs/faq-1': 'v2' },
    },
    [store('unsaved', 'faqs')],
  ],
  [
    'a record that was changed again is sent again, based on the new version',
    sending({ ...waiting, revision: 2, record: { ...edited, answer: 'Again.' } }),
    sent({ kind: 'saved', record: { ...edited, updatedAt: 'v2' }, version: 'v2' }),
    { data: { faqs: [edited] }, sending: [key] },
    [store('unsaved'), send({ base: 'v2', record: { ...edited, answer: 'Again.' } })],
  ],
  [
    'a failed change stays, with the reason',
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
    [store('unsaved', 'faqs')],
  ],
  [
    'the first answer after a time offline reloads the rows',
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
    [store('unsaved', 'faqs'), send({ base: 'v2', record: edited })],
  ],
  [
    'their version of a conflict replaces mine',
    withUnsaved(conflict),
    { type: 'conflictResolved', key, choice: 'theirs' },
    { data: { faqs: [theirs] }, unsaved: [], rows: { 'faqs/faq-1': 'v2' } },
    [store('unsaved', 'faqs')],
  ],
  [
    'their deletion removes my version',
    withUnsaved({ ...conflict, theirs: null }),
    { type: 'conflictResolved', key, choice: 'theirs' },
    { data: { faqs: [] }, unsaved: [] },
    [store('unsaved', 'faqs')],
  ],
  [
    'a failed change cannot be resolved like a conflict',
    withUnsaved(failed),
    { type: 'conflictResolved', key, choice: 'theirs' },
    withUnsaved(failed),
    [],
  ],
  [
    'a retry sends failed changes again',
    withUnsaved(failed),
    { type: 'retried' },
    { unsaved: [{ state: 'waiting' }], sending: [key] },
    [store('unsaved'), send({ state: 'waiting' })],
  ],
  [
    'a retry of one record leaves the others',
    withUnsaved(failed),
    { type: 'retried', key: { ...key, id: 'faq-2' } },
    { unsaved: [failed], sending: [] },
    [store('unsaved')],
  ],
  ['a conflict is not sent again', withUnsaved(conflict), { type: 'reloaded' }, {}, [store('unsaved')]],
  ['nothing is sent while the server is offline', offline, { type: 'reloaded' }, offline, []],
  [
    'nothing is sent after closing',
    { ...withUnsaved(failed), isClosed: true },
    { type: 'retried' },
    { unsaved: [failed] },
    [],
  ],
  [
    'without rows, all stays as it is',
    online,
    { type: 'contentReceived', build: { ...build, faqs: [], demos: [] }, rows: undefined },
    { server: 'offline', data: online.data },
    [],
  ],
  [
    'rows are merged into the published entries, also those that the page knows, and unsaved changes stay',
    withUnsaved(failed),
    {
      type: 'contentReceived',
      build: undefined,
      rows: { faqs: [{ record: theirs, deleted: false }], demos: [] },
    },
    { server: 'online', data: { faqs: [...build.faqs, edited], demos: [spa] }, rows: { 'faqs/faq-1': 'v2' } },
    [store('demos', 'faqs')],
  ],
  [
    'a page of users is first answered from the data',
    online,
    { type: 'usersRequested', query: { search: 'bob', status: null, page: 0 }, request: 1 },
    { users: { page: { counts: { all: 0 } }, loading: true } },
    [],
  ],
  [
    'an answer to an earlier request is ignored',
    { ...online, users: { ...online.users, request: 2 } },
    { type: 'usersReceived', request: 1, page: { users: [], counts: { all: 0 }, more: false } },
    { users: { loading: true } },
    [],
  ],
  [
    'without an answer the stored users stay',
    online,
    { type: 'usersReceived', request: 0, page: undefined },
    { server: 'offline', users: { loading: false }, data: { users: [ann] } },
    [],
  ],
  [
    'the first page replaces the stored users',
    online,
    {
      type: 'usersReceived',
      request: 0,
      page: { users: [{ ...ann, id: 'bob' }], counts: { all: 1 }, more: false },
    },
    { users: { page: { counts: { all: 1 } }, loading: false }, data: { users: [{ id: 'bob' }] } },
    [store('users')],
  ],
  [
    'new problems of a key replace the former ones',
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

test('a user found by a search is stored with the others, and shows its change', () => {
  const bob = { ...ann, id: 'bob' }
  const events: AdminEvent[] = [
    { type: 'usersRequested', query: { search: 'bob', status: null, page: 0 }, request: 1 },
    { type: 'usersReceived', request: 1, page: { users: [bob], counts: { all: 1 }, more: false } },
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
