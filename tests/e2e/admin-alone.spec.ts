import {
  addFaq,
  allSaved,
  cutOff,
  freshQuestion,
  openAdmin,
  openAloneWith,
  openTab,
  reconnectAndRetry,
  rowOf,
  stored,
} from './admin-fixtures.ts'
import { wav } from '../support/audio.ts'
import { expect, test } from './fixtures.ts'
import { minutesOf } from '../support/plan-facts.ts'

// Each test goes through several pages and forms.
test.describe.configure({ timeout: 120_000 })
test.use({ allowedConsole: /net::ERR_FAILED|status of (400|401|403|404|406|409)/ })

const many = <Each>(length: number, make: (index: number) => Each): string =>
  JSON.stringify(Array.from({ length }, (_, index) => make(index)))

test('FAQs are added, edited and deleted without the server, and saved once it is back', async ({
  page,
  secret,
}) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  await cutOff(page)
  const [kept, gone] = [freshQuestion('Kept offline'), freshQuestion('Gone offline')]
  await addFaq(page, kept, 'One.')
  await addFaq(page, gone, 'Two.')
  await page.getByRole('button', { name: `Delete ${gone}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Find in questions and answers').fill(kept)
  await page.getByRole('button', { name: `Edit ${kept}` }).click()
  await page.getByLabel('Answer', { exact: true }).fill('One, edited.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rowOf(page, kept).getByText('Not saved')).toBeVisible()
  await page.reload()
  await page.getByLabel('Find in questions and answers').fill(kept)
  await expect(rowOf(page, kept).getByText('Not saved')).toBeVisible()

  await reconnectAndRetry(page)
  await allSaved(page)
  await expect(rowOf(page, kept).getByText('Not saved')).toHaveCount(0)
  const { data } = await secret
    .from('faqs')
    .select('question, answer, deleted_at')
    .in('question', [kept, gone])
  expect(data).toHaveLength(2)
  expect(data?.find(({ question }) => question === kept)).toMatchObject({
    answer: 'One, edited.',
    deleted_at: null,
  })
  expect(data?.find(({ question }) => question === gone)?.deleted_at).not.toBeNull()
})

test('a demo that is added without the server can be played, and is uploaded once it is back', async ({
  page,
  secret,
}) => {
  await openAdmin(page)
  await openTab(page, 'Demos')
  await cutOff(page)
  const title = freshQuestion('Night desk').replace('?', '')
  await page.getByRole('button', { name: 'Add demo' }).click()
  await page.getByLabel('Industry').fill('hotel')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Audio file').setInputFiles({ name: 'n.wav', mimeType: 'audio/wav', buffer: wav() })
  await page.locator('form').getByRole('button', { name: 'Add demo' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: title })
  // The file is read first.
  await expect(entry).toBeVisible()
  await page.reload()
  await expect(entry.getByText('Not saved')).toBeVisible()
  await entry.getByRole('button', { name: `Play ${title}` }).click()
  await expect(entry.getByText('of 0:01')).toBeVisible()
  await reconnectAndRetry(page)
  await allSaved(page)
  const { data } = await secret.from('audio_demos').select('audio_url').eq('title', title).single()
  expect(data?.audio_url).toContain('/demos/')
  // Its place in the list depends on whether the server's rows have been read again.
  expect(await stored(page, 'demos')).toContainEqual(
    expect.objectContaining({ title, audioUrl: data?.audio_url }),
  )
})

test('if the storage is full, this is reported, nothing is lost, and a copy can be saved', async ({
  page,
}) => {
  await openAdmin(page)
  await openTab(page, 'FAQs')
  await cutOff(page)
  await page.evaluate(() => {
    let size = 5_000_000
    for (let count = 0; size >= 1; count += 1) {
      try {
        localStorage.setItem(`filler-${count}`, 'x'.repeat(size))
      } catch {
        size = Math.floor(size / 2)
      }
    }
  })
  const question = freshQuestion('Is there room')
  await addFaq(page, question, 'No.')
  await expect(page.getByRole('heading', { name: 'The storage of this browser is full' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a copy' }).click()
  const stream = await (await download).createReadStream()
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  expect(text).toContain(question)
  await page.getByRole('button', { name: 'Logout' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Log out, and lose your changes?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const leaving = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const asked = await leaving
  expect(asked.type()).toBe('beforeunload')
  await asked.dismiss()

  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('filler-')) localStorage.removeItem(key)
  })
  await reconnectAndRetry(page)
  await expect.poll(() => stored(page, 'faqs')).toContainEqual(expect.objectContaining({ question }))
  await allSaved(page)
  await expect(page.getByRole('heading', { name: 'The storage of this browser is full' })).toHaveCount(0)
})

test('10,000 users and 5,000 FAQs can be paged, scrolled and searched', async ({ page }) => {
  await openAdmin(page)
  await openAloneWith(page, {
    users: many(10_000, (index) => ({
      id: `u${index}`,
      email: `guest-${String(index).padStart(5, '0')}@hotel.example`,
      plan: 'starter',
      subscriptionStatus: index % 3 ? 'active' : 'blocked',
      minutesUsed: index % minutesOf('starter'),
      minutesLimit: minutesOf('starter'),
    })),
    faqs: many(5_000, (index) => ({
      id: `f${index}`,
      question: `Question ${index}?`,
      answer: `Answer ${index}.`,
    })),
  })
  await expect(page.getByText('1 to 50 of 1,000+ users')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('51 to 100 of 1,000+ users')).toBeVisible()
  await page.getByLabel('Find by email').fill('guest-0777')
  await expect(page.getByText('1 to 10 of 10 users')).toBeVisible()

  await openTab(page, 'FAQs')
  await expect(page.getByText('5,000 questions')).toBeVisible()
  const rows = page.getByRole('list', { name: 'Questions' }).getByRole('listitem')
  expect(await rows.count()).toBeLessThan(60)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(page.getByRole('heading', { name: 'Question 4999?' })).toBeVisible()
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByLabel('Find in questions and answers').fill('ANSWER 4321')
  await expect(page.getByText('1 of 5,000 questions')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Question 4321?' })).toBeVisible()
})
