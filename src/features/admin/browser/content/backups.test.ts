import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backupOf, parseBackup, restoration, tablesOf } from '#admin/domain/content/backup.ts'
import { fileTimestamp } from '#platform/domain/text/dates.ts'
import { csv } from '#platform/domain/text/csv.ts'
import { isPublished, unpublishedChanges } from '#admin/domain/content/site-build.ts'
import { allUsers, exportFiles, makeBackup, openBackup } from './backups.ts'
import { published } from '../../../../../tests/support/admin-data.ts'

const data = {
  users: [
    {
      id: '1',
      email: '=cmd@hotel.example',
      plan: null,
      subscriptionStatus: 'active',
      minutesUsed: -3,
      minutesLimit: 150,
    },
  ],
  demos: [
    { id: '2', industry: 'spa', title: 'Spa', description: '', audioUrl: 'data:audio/mpeg;base64,SUQzAA==' },
  ],
  faqs: [{ id: '3', question: 'Say "hi", please?', answer: 'Line one\nLine two', updatedAt: 'v1' }],
}

test('CSV quotes special characters, and no text becomes a formula', () => {
  const rows = [
    { a: '=1+1', b: 'x, "y"' },
    { a: '@SUM(A1)', b: -3 },
    { a: '\t=1', b: null },
  ]
  expect(csv(rows, ['a', 'b'])).toBe('a,b\r\n\'=1+1,"x, ""y"""\r\n\'@SUM(A1),-3\r\n\'\t=1,\r\n')
})

test('no text begins a cell with a character that starts a formula', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const [, line = ''] = csv([{ a: text }], ['a']).split(/\r\n([\s\S]*)\r\n$/)
      expect(line).not.toMatch(/^"?[=+\-@\t\r]/)
    }),
  )
})

test('an export is one JSON file, or one CSV file per collection', async () => {
  const now = Date.UTC(2026, 10, 21, 9, 30)
  const [json] = exportFiles(data, 'json', now)
  expect(json?.name).toBe('export-2026-11-21-093000.json')
  expect(parseBackup((await json?.content.text()) ?? '')).toMatchObject(data)
  const tables = exportFiles(data, 'csv', now)
  expect(tables.map(({ name }) => name)).toEqual([
    'export-2026-11-21-093000-users.csv',
    'export-2026-11-21-093000-demos.csv',
    'export-2026-11-21-093000-faqs.csv',
  ])
  expect(await tables[0]?.content.text()).toContain("1,'=cmd@hotel.example,,active,-3,150")
  expect(tablesOf(backupOf(data, ''))['faqs.csv']).toContain('"Say ""hi"", please?"')
})

test('a backup is unpacked as it was packed, with its recordings', async () => {
  const file = await makeBackup(data, Date.UTC(2026, 10, 21))
  expect(file?.name).toBe(`backup-${fileTimestamp('2026-11-21T00:00:00Z')}.zip`)
  const opened = await openBackup(file?.content ?? new Blob())
  expect(opened?.data).toMatchObject(data)
  expect(await opened?.recordings.get('2')?.text()).toBe('ID3\0')
})

test('other files are not taken for a backup', async () => {
  expect(await openBackup(new Blob(['not a zip']))).toBeNull()
  expect(parseBackup('{"users":[]}')).toBeNull()
})

test('a restoration changes what differs, brings back what is missing, and removes what was added', () => {
  const backup = backupOf(data, '')
  const present = {
    ...data,
    faqs: [
      { id: '3', question: 'Changed?', answer: 'x', updatedAt: 'v2' },
      { id: '9', question: 'Added since?', answer: 'y' },
    ],
    demos: [],
  }
  const { faqs, demos } = restoration(present, backup)
  expect(faqs).toEqual({ put: backup.faqs, remove: ['9'] })
  expect(demos).toEqual({ put: backup.demos, remove: [] })
  expect(restoration(data, backup).faqs).toEqual({ put: [], remove: [] })
})

test('all users are read page by page, or none', async () => {
  const user = (id: number) => ({ ...data.users[0]!, id: String(id) })
  const people = Array.from({ length: 120 }, (_, id) => user(id))
  const list = ({ page }: { page: number }) =>
    Promise.resolve({
      users: people.slice(page * 50, page * 50 + 50),
      counts: { all: 120 },
      more: page < 2,
    })
  expect(await allUsers(list)).toHaveLength(120)
  expect(
    await allUsers((query) => (query.page < 2 ? list(query) : Promise.resolve(undefined))),
  ).toBeUndefined()
})

test('unpublished changes are recognised by version, absence or setting', () => {
  const build = { ...published, rows: { 'faqs/faq-1': 'v1', 'faqs/gone': 'v1' } }
  expect(isPublished(build, 'faqs', { id: 'faq-1', updatedAt: 'v1' })).toBe(true)
  expect(isPublished(build, 'faqs', { id: 'faq-1', updatedAt: 'v2' })).toBe(false)
  expect(isPublished(build, 'faqs', { id: 'faq-2' })).toBe(true)
  expect(isPublished(build, 'faqs', { id: 'new' })).toBe(false)
  const same = { ...build.settings }
  expect(unpublishedChanges(build, { 'faqs/faq-1': 'v1', 'faqs/gone': 'v1' }, same)).toBe(0)
  const other = { ...same, maintenanceNotice: 'Back at ten.' }
  expect(unpublishedChanges(build, { 'faqs/faq-1': 'v2', 'audio_demos/new': 'v1' }, other)).toBe(3)
})
