import type { Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { recordedRate } from '#agent/domain/voice/wav.ts'
import { axeViolations } from '../support/axe.ts'
import { expect, openSignedIn, test, type Customer } from './fixtures.ts'

const recorder = (page: Page) => page.getByRole('region', { name: 'Read this aloud' })
const press = (page: Page, name: string) => recorder(page).getByRole('button', { name }).click()
const consent = (page: Page) => page.getByRole('checkbox', { name: /The voice is mine/ })
const seconds = async (page: Page): Promise<number> =>
  Number(await recorder(page).getByRole('progressbar', { name: 'Recorded' }).getAttribute('aria-valuenow'))

async function openVoiceStep(page: Page, account: Customer): Promise<void> {
  await openSignedIn(page, account, '/onboarding')
  await page.getByRole('button', { name: 'Next' }).click()
}

/** Returns the settings of the customer's stored sample, and what its header says. */
async function stored(secret: SupabaseClient, { id }: Customer) {
  const { data } = await secret.from('agent_settings').select('*').eq('user_id', id).single().throwOnError()
  const row = data as { voice_sample_path: string; voice_sample_name: string }
  const file = await secret.storage.from('voice-samples').download(row.voice_sample_path)
  const bytes = Buffer.from((await file.data?.arrayBuffer()) ?? new ArrayBuffer(0))
  return {
    ...row,
    format: bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12),
    channels: bytes.readUInt16LE(22),
    rate: bytes.readUInt32LE(24),
    seconds: bytes.readUInt32LE(40) / 2 / bytes.readUInt32LE(24),
  }
}

test('a sample is recorded, listened to and uploaded in place, by keyboard, with the speaker’s consent', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer()
  const code: string[] = []
  page.on('request', (request) => {
    if (/RecorderPanel|convert-to-wav/.test(request.url())) code.push(request.url())
  })
  await openVoiceStep(page, account)
  await expect(page.getByRole('button', { name: 'Record now' })).toBeVisible()
  expect(code, 'the recorder is fetched on use').toEqual([])
  await page.getByRole('button', { name: 'Record now' }).press('Enter')
  await expect(recorder(page)).toBeFocused()
  expect(await axeViolations(page)).toEqual([])

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(recorder(page).getByRole('button', { name: 'Stop' })).toBeFocused()
  await expect(recorder(page).getByRole('status')).toHaveText('Recording. Read the text aloud.')
  await page.keyboard.press('Enter')
  await expect(recorder(page).getByRole('alert')).toContainText('shorter than 10 seconds')

  await page.keyboard.press('Enter')
  await expect(recorder(page).getByText('We hear you')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await expect.poll(() => seconds(page), { timeout: 60_000 }).toBeGreaterThan(10)
  await page.keyboard.press('Enter')
  await expect(recorder(page).getByRole('button', { name: 'Listen to your recording' })).toBeFocused()
  await expect(recorder(page).getByRole('status')).toContainText('seconds recorded. Listen, use it')
  await page.keyboard.press('Enter')
  await expect(recorder(page).getByRole('button', { name: 'Pause your recording' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await press(page, 'Use this recording')
  await expect(page.getByRole('alert')).toContainText('Tick this box')
  await expect(consent(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
  const sample = await stored(secret, account)
  expect(sample).toMatchObject({ format: 'RIFFWAVE', channels: 1, rate: recordedRate })
  expect(sample.voice_sample_name).toMatch(/^Recording \d{4}-\d\d-\d\d\.wav$/)
  expect(sample.seconds).toBeGreaterThan(10)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Choose an Industry Template' })).toBeVisible()
})

test('what a phone has recorded is converted to WAV before it is uploaded', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer()
  await openVoiceStep(page, account)
  // A second of a tone, as a browser records it.
  const recorded = await page.evaluate(async () => {
    const context = new AudioContext()
    const target = context.createMediaStreamDestination()
    const tone = context.createOscillator()
    tone.connect(target)
    tone.start()
    const recorder = new MediaRecorder(target.stream)
    const part = new Promise<Blob>((resolve) => {
      recorder.ondataavailable = ({ data }) => resolve(data)
    })
    recorder.start()
    const end = context.createConstantSource()
    end.start()
    end.stop(context.currentTime + 1)
    await new Promise((resolve) => (end.onended = resolve))
    recorder.stop()
    return [...new Uint8Array(await (await part).arrayBuffer())]
  })
  await consent(page).check()
  const choose = (name: string, bytes: number[]) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'audio/webm', buffer: Buffer.from(bytes) })
  await choose('memo.webm', recorded.slice(0, 40))
  await expect(page.getByRole('alert')).toContainText('This browser cannot read this file')
  await choose('memo.webm', recorded)
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
  const sample = await stored(secret, account)
  expect(sample).toMatchObject({ format: 'RIFFWAVE', channels: 1, voice_sample_name: 'memo.webm' })
  expect(sample.seconds).toBeGreaterThan(0.3)
})

test('a refused or missing microphone is explained, and the next try works', async ({ page, customer }) => {
  await openSignedIn(page, await customer({ onboarded: true }), '/portal/voice')
  await page.evaluate(() => {
    const devices = navigator.mediaDevices
    const ask = devices.getUserMedia.bind(devices)
    const errors = ['NotAllowedError', 'NotFoundError']
    devices.getUserMedia = (wanted) => {
      const name = errors.shift()
      return name ? Promise.reject(new DOMException('', name)) : ask(wanted)
    }
  })
  await page.getByRole('button', { name: 'Record now' }).click()
  // On a phone the buttons are at the lower edge of the window, and nothing is drawn over them.
  await page.setViewportSize({ width: 360, height: 740 })
  const close = recorder(page).getByRole('button', { name: 'Close' })
  await expect(close).toBeInViewport({ ratio: 1 })
  const isOnTop = await close.evaluate((button) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(isOnTop).toBe(true)
  await press(page, 'Record')
  await expect(recorder(page).getByRole('alert')).toContainText('The microphone is not allowed on this page')
  await press(page, 'Record')
  await expect(recorder(page).getByRole('alert')).toContainText('No microphone was found')
  await press(page, 'Record')
  await expect(recorder(page).getByRole('alert')).toHaveCount(0)
  await press(page, 'Stop')
  await expect(recorder(page).getByRole('alert')).toContainText('shorter than 10 seconds')
  await press(page, 'Close')
  await expect(recorder(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Record now' })).toBeFocused()
})
