import { expect, test } from 'vitest'
import { isRecordingUrl } from './recording-url.ts'
import { recordingUrls } from '../../../../tests/support/recording-urls.ts'

const ours = 'https://deskbell.example'

test.each(recordingUrls.accepted)('%j is accepted', (url) => {
  expect(isRecordingUrl(url)).toBe(true)
  if (url.startsWith('/')) expect(new URL(url, ours).origin).toBe(ours)
})

test.each(recordingUrls.refused)('72. The address %j in a demo → rejected', (url) => {
  expect(isRecordingUrl(url)).toBe(false)
})
