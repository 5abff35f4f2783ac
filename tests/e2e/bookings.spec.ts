import { axeViolations } from '../support/axe.ts'
import { mounts } from '../../local/environment.ts'
import { dayIn, requestBooking, setUpBookings, someSetup } from '../support/bookings.ts'
import { expect, openSignedIn, test } from './fixtures.ts'

test('an owner books by keyboard, over another after a question, sees the day and the week, moves it, and blocks a caller', async ({
  page,
  clientOf,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  const client = await clientOf(account)
  await requestBooking(secret, account.id, 'Dora Kim')
  await setUpBookings({ client, id: account.id })

  await openSignedIn(page, account, '/portal/bookings')
  const booked = page.getByRole('region', { name: 'Booked' })
  const form = page.getByRole('form', { name: 'Add a booking' })
  const book = async (name: string) => {
    await booked.getByRole('button', { name: 'Add a booking' }).press('Enter')
    await expect(form).toBeFocused()
    await form.getByLabel('Day').fill(dayIn(2))
    await form.getByRole('radio', { name: '10:00' }).press('Space')
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Number').fill('+1 202 555 0101')
    await form.getByLabel('Name').press('Enter')
  }
  await book('Ada Meyer')
  await expect(page.getByText('Booked: Check-up, Ada Meyer.')).toBeVisible()
  await expect(booked.getByText('Check-up, Ada Meyer')).toBeVisible()
  await book('Bob Lind')
  const question = page.getByRole('alertdialog')
  await expect(
    question.getByText(/^This time is taken by Check-up, Ada Meyer .+ Book it anyway\?$/),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(booked.getByText('Bob Lind')).toHaveCount(0)
  await form.getByRole('button', { name: 'Book' }).press('Enter')
  await question.getByRole('button', { name: 'Book anyway' }).press('Enter')
  await expect(booked.getByText('Check-up, Bob Lind')).toBeVisible()

  await booked.getByRole('button', { name: 'Day' }).press('Enter')
  await booked.getByLabel('Day', { exact: true }).fill(dayIn(2))
  const unit = booked.getByRole('group', { name: 'Dr. Ada Lind' })
  await expect(unit.getByRole('button')).toHaveText([
    '10:00 – 11:00 Check-up, Ada Meyer',
    '10:00 – 11:00 Check-up, Bob Lind',
  ])
  expect(await axeViolations(page)).toEqual([])
  await unit.getByRole('button', { name: /Bob Lind/ }).press('Enter')
  const chosen = booked.getByRole('region', { name: 'Check-up, Bob Lind' })
  await expect(chosen).toBeFocused()
  await chosen.getByRole('button', { name: 'Move' }).press('Enter')
  const move = page.getByRole('form', { name: 'Move: Check-up, Bob Lind' })
  await move.getByRole('radio', { name: '11:00' }).press('Space')
  await move.getByRole('button', { name: 'Move' }).press('Enter')
  await expect(unit.getByRole('button')).toHaveText([
    '10:00 – 11:00 Check-up, Ada Meyer',
    '11:00 – 12:00 Check-up, Bob Lind',
  ])

  await booked.getByRole('button', { name: 'Week' }).press('Enter')
  await expect(booked.getByRole('button', { name: /Check-up/ })).toHaveCount(2)
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'your inbox' }).press('Enter')
  const inbox = page.getByRole('region', { name: 'Inbox' })
  await expect(inbox.getByText('The caller does not know yet what you have decided.')).toHaveCount(1)
  await inbox.getByRole('link', { name: 'Propose another: Check-up, Dora Kim' }).press('Enter')
  const proposal = page.getByRole('form', { name: 'Propose another time: Check-up, Dora Kim' })
  await proposal.getByLabel('Day').fill(dayIn(3))
  await expect(proposal.getByText(/nothing seats so many/)).toBeVisible()
  await proposal.getByLabel('People').fill('1')
  await proposal.getByRole('radio', { name: '09:00' }).press('Space')
  await proposal.getByRole('button', { name: 'Propose' }).press('Enter')
  await expect(booked.getByText('You have proposed it')).toBeVisible()
  await booked.getByRole('button', { name: 'Confirm: Check-up, Dora Kim' }).press('Enter')
  await expect(booked.getByText('You have proposed it')).toHaveCount(0)

  // What was booked outlives the subscription.
  await secret
    .from('user_subscriptions')
    .update({ billing_status: 'canceled' })
    .eq('user_id', account.id)
    .throwOnError()
  await page.reload()
  await booked.getByRole('button', { name: 'Cancel all and block: Check-up, Ada Meyer' }).press('Enter')
  await expect(question.getByText(/^2 bookings and requests of \+12025550101 /)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel all and block' }).press('Enter')
  const left = booked.getByRole('button', { name: /^Cancel: / })
  await expect(left).toHaveCount(1)
  await expect(left).toHaveAccessibleName('Cancel: Check-up, Dora Kim')
  expect((await client.from('blocked_callers').select('phone_number').throwOnError()).data).toEqual([
    { phone_number: '+12025550101' },
  ])
})

test('a caller rings, hears free times, takes one and moves it; it is in the portal, in the mails and behind their link', async ({
  page,
  context,
  request,
  baseURL,
  clientOf,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  const client = await clientOf(account)
  const { data } = await client.auth.getSession()
  await setUpBookings({ client, id: account.id }, { ...someSetup, asksForEmail: true })
  await client
    .from('call_settings')
    .upsert({ user_id: account.id, summaries_to: [account.email] })
    .throwOnError()
  const number = '+15550300046'
  expect((await request.post(`${mounts.voice}/test/number`, { data: { number } })).status()).toBe(200)
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  const added = { p_account: account.id, p_id: number, p_number: number }
  await secret.rpc('add_bought_number', added).throwOnError()
  const authorization = `Bearer ${data.session!.access_token}`
  const updated = await request.post('/.netlify/functions/update-my-agent', {
    headers: { authorization, origin: baseURL! },
    data: {},
  })
  expect(await updated.json()).toEqual({ wanted: true, updated: true })

  const caller = await context.newPage()
  const heard = caller.getByRole('listitem').last()
  const ring = async () => {
    await caller.goto('/local')
    const row = caller.getByRole('region', { name: 'Numbers' }).getByRole('row', { name: number })
    await row.getByLabel(`Who calls ${number}`).selectOption('You')
    await row.getByRole('button', { name: 'Ring it' }).click()
  }
  const say = async (line: string, reply: string | RegExp) => {
    await caller.getByLabel('You say').fill(line)
    await caller.getByRole('button', { name: 'Say it' }).click()
    await expect(heard).toContainText(reply)
  }
  const hangUp = async () => {
    await caller.getByRole('button', { name: 'Hang up', exact: true }).click()
    await expect(caller.getByRole('heading', { name: 'Call ended' })).toBeVisible()
    expect((await request.post('/.netlify/functions/clock')).status()).toBe(200)
  }
  const weekday = new Date(dayIn(4)).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  const email = `ada-${account.id}@example.com`
  await ring()
  await say(
    `Can I have a check-up next ${weekday} morning?`,
    /Free are .+ at 9:00.AM; .+ at 10:00.AM; .+ Which suits you\?/,
  )
  await say('Ten would be fine.', 'What is your name?')
  await say('Ada Meyer', 'What is your email address?')
  await say(email, /Booked: Check-up, .+ at 10:00.AM, for Ada Meyer\. The code is/)
  await hangUp()
  await ring()
  await say('I need to move my appointment.', 'Under which name is it booked?')
  await say('Ada Maier', 'To which day shall I move it?')
  await say(`${weekday}, please.`, /Free are .+ at 9:00.AM; .+ at 10:00.AM; .+ at 11:00.AM/)
  await say('Eleven.', /Booked: Check-up, .+ at 11:00.AM, for Ada Meyer/)
  await hangUp()
  await ring()
  await say(`Can I have a check-up on ${weekday}?`, /Free are .+ at 9:00.AM; [^;]+ at 10:00.AM\./)
  await hangUp()

  const mailsTo = async (reader: string) =>
    (
      (await (await request.get('/local/mail')).json()) as {
        to: string
        subject: string
        text: string
        links: string[]
      }[]
    ).filter(({ to }) => to === reader)
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject }) => subject))
    .toEqual([
      expect.stringMatching(/^Booked: Check-up, .+ 11:00.AM$/),
      expect.stringMatching(/^Booked: Check-up, .+ 10:00.AM$/),
    ])
  await expect
    .poll(async () => (await mailsTo(account.email)).map(({ text }) => text).join('\n'))
    .toMatch(/^Booked: Check-up, .+ Ada Meyer$/m)
  await openSignedIn(page, account, '/portal/bookings')
  const booked = page.getByRole('region', { name: 'Booked' })
  await expect(booked.getByText('Check-up, Ada Meyer')).toHaveCount(1)
  await expect(booked.getByText('11:00')).toBeVisible()
  await booked.getByRole('button', { name: /^Cancel: / }).press('Enter')
  await expect(page.getByText('The caller gets an email about it.')).toBeVisible()
  await page.keyboard.press('Escape')

  const [newest] = await mailsTo(email)
  const url = newest!.links.find((link) => link.includes('/b/'))!
  const link = await context.newPage()
  await link.goto(url)
  await expect(link.getByText(/^Booked, .+ at 11:00.AM, for Ada Meyer/)).toBeVisible()
  expect(await axeViolations(link)).toEqual([])
  await link.getByText('Cancel this booking').press('Enter')
  await link.getByRole('button', { name: 'Yes, cancel it' }).press('Enter')
  await expect(link.getByText(/^Cancelled, /)).toBeVisible()
  await link.goBack()
  await expect(link.getByRole('heading', { level: 1, name: 'Check-up' })).toBeVisible()
  await page.reload()
  await expect(booked.getByText(/^Nothing is booked/)).toBeVisible()
})
