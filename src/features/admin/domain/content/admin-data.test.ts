import { expect, test } from 'vitest'
import { isRecordingUrl, mergeRows, parseRecords, timestampId } from './admin-data.ts'
import { recordingUrls } from '../../../../../tests/support/recording-urls.ts'

test('rows replace seeds of the same id in their order; other rows follow by age', () => {
  const row = (id: string, deleted = false) => ({ record: { id, from: 'row' }, deleted })
  expect(
    mergeRows(
      [
        { id: 'a', from: 'seed' },
        { id: 'b', from: 'seed' },
        { id: 'c', from: 'seed' },
      ],
      [row('20'), row('b'), row('c', true), row('10'), row('30', true)],
    ),
  ).toEqual([
    { id: 'a', from: 'seed' },
    { id: 'b', from: 'row' },
    { id: '10', from: 'row' },
    { id: '20', from: 'row' },
  ])
})

test('a new id is the time, or the next free number', () => {
  expect(timestampId(5, [])).toBe('5')
  expect(timestampId(5, [{ id: '5' }, { id: '6' }])).toBe('7')
})

test('72. A stored demo or one of a backup whose address leads to another host → left out', () => {
  const demo = { id: '1', industry: 'spa', title: 'Spa', description: '' }
  const records = ['/\\evil.example/a.mp3', '/audio/spa.mp3', 'data:audio/wav;base64,UklG'].map(
    (audioUrl) => ({
      ...demo,
      audioUrl,
    }),
  )
  expect(parseRecords('demos', JSON.stringify(records))).toEqual({ records: records.slice(1), damaged: true })
})

const ours = 'https://deskbell.example'

test.each(recordingUrls.accepted)('%j is accepted', (url) => {
  expect(isRecordingUrl(url)).toBe(true)
  if (url.startsWith('/')) expect(new URL(url, ours).origin).toBe(ours)
})

test.each(recordingUrls.refused)('72. The address %j in a demo → rejected', (url) => {
  expect(isRecordingUrl(url)).toBe(false)
})
