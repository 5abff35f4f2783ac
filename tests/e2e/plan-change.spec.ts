import type { APIRequestContext } from '@playwright/test'
import { local, mounts } from '../../local/environment.ts'
import { expectSound, inEveryDress } from './dress.ts'
import { answerChallenge, expect, expectToast, justUnder, openParts, openSignedIn, test } from './fixtures.ts'
import { centsOf, minutesOf, planName } from '../support/plan-facts.ts'
import { exactPrice, wholePrice } from '#plans/domain/plans.ts'
import { grouped } from '#platform/domain/text/numbers.ts'

const [growth, pro] = [planName('growth'), planName('pro')]

/** Pays the customer's subscription from now on with a card that asks for 3-D Secure each time. */
async function useAskingCard(request: APIRequestContext, email: string): Promise<void> {
  const stripe = async (method: 'get' | 'post', path: string, form: Record<string, string> = {}) => {
    const answer = await request[method](`${mounts.stripe}/v1/${path}`, {
      headers: { authorization: `Bearer ${local.stripeSecretKey}` },
      ...(method === 'get' ? { params: form } : { form }),
    })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as { id: string; data: { id: string }[] }
  }
  const customer = (await stripe('get', 'customers', { email })).data[0]?.id ?? ''
  const subscription = (await stripe('get', 'subscriptions', { customer })).data[0]?.id ?? ''
  const made = await request.post(`${mounts.stripe}/v1/payment_methods`, {
    headers: { authorization: `Bearer ${local.stripePublishableKey}` },
    form: {
      type: 'card',
      'card[number]': '4000002760003184',
      'card[exp_month]': '12',
      'card[exp_year]': '2040',
      'card[cvc]': '123',
    },
  })
  const { id } = (await made.json()) as { id: string }
  await stripe('post', `payment_methods/${id}/attach`, { customer })
  await stripe('post', `customers/${customer}`, { 'invoice_settings[default_payment_method]': id })
  await stripe('post', `subscriptions/${subscription}`, { default_payment_method: id })
}

test('a plan is upgraded with 3-D Secure, lowered and kept, and the subscription ended and kept', async ({
  page,
  request,
  customer,
}) => {
  const account = await customer({ plan: 'starter', onboarded: true })
  await useAskingCard(request, account.email)
  await openSignedIn(page, account, '/portal/billing')
  const starter = page.getByRole('article').filter({ hasText: planName('starter') })
  const proCard = page.getByRole('article').filter({ hasText: pro })
  await expect(starter).toContainText('Your plan')

  // Each second since the purchase makes the rest of the period cheaper.
  const cents = centsOf('pro') - centsOf('starter')
  const charge = `${RegExp.escape(exactPrice(cents))}|${RegExp.escape(wholePrice(cents - 100))}\\.\\d\\d`
  await page.getByRole('button', { name: `Upgrade to ${pro}` }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(`Unused time on ${planName('starter')}`)
  await expect(dialog).toContainText(new RegExp(`Charged now(${charge})`))
  await expect(dialog).toContainText(
    new RegExp(`${grouped(minutesOf('starter'))} now, (${justUnder(minutesOf('pro'))}) after`),
  )
  await inEveryDress(page, (dress) => expectSound(page, dress))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Upgrade to ${pro}` })).toBeFocused()

  // Holds the answer back until the page has read the new plan. The dialog is still open then.
  await page.route('**/confirm-plan-change', async (route) => {
    const response = await route.fetch()
    const { status } = (await response.json()) as { status: string }
    if (status === 'changed') {
      await page.evaluate(() => void dispatchEvent(new Event('focus')))
      await expect(proCard).toContainText('Your plan')
    }
    await route.fulfill({ response })
  })
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: new RegExp(`^Pay (${charge})$`) }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Your bank asks you' })).toBeVisible()
  await answerChallenge(page, 'Complete')
  await expectToast(page, 'Plan changed', `You are on ${pro} now.`)
  await expect(proCard).toContainText('Your plan')
  await expect(page.getByRole('heading', { name: 'Change your plan' })).toBeFocused()

  await page.getByRole('button', { name: `Switch to ${growth}` }).click()
  await dialog.getByRole('button', { name: `Switch to ${growth}` }).click()
  await expectToast(page, 'Plan noted')
  await expect(
    page.getByText(new RegExp(`^${RegExp.escape(pro)} until .* then ${RegExp.escape(growth)}\\.$`)),
  ).toBeVisible()
  await page.getByRole('button', { name: `Keep ${pro}` }).click()
  await expectToast(page, 'Plan kept', `You stay on ${pro}.`)

  await page.getByRole('button', { name: 'End subscription' }).click()
  await dialog.getByRole('button', { name: 'End subscription' }).click()
  await expectToast(page, 'Subscription will end')
  await expect(page.getByText(/^Your subscription ends on/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep subscription' }).click()
  await expectToast(page, 'Subscription kept')
  await expect(page.getByRole('button', { name: `Switch to ${planName('starter')}` })).toBeEnabled()
})

test('before a plan with fewer agents begins, the customer chooses which goes on, and can choose anew', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ plan: 'pro', onboarded: true })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  const number = '+15550300094'
  await page.request.post(`${mounts.voice}/test/number`, { data: { number } })
  const entered = { p_account: account.id, p_id: number, p_number: number }
  await secret.rpc('add_bought_number', entered).throwOnError()
  await openSignedIn(page, account, '/portal/agent')
  await openParts(page, 'People and numbers')
  for (const name of ['Second desk', 'Third desk']) {
    await page.getByLabel('Name of a further agent').fill(name)
    await page.getByLabel('Name of a further agent').press('Enter')
    await expect(page.getByText(`${name} gets its number within minutes.`)).toBeVisible()
  }
  await page.goto('/portal/billing')
  const dialog = page.getByRole('alertdialog')
  const choose = page.getByRole('button', { name: 'Choose what goes on' })
  const going = page.getByRole('status').filter({ hasText: `on with ${growth}` })

  await page.getByRole('button', { name: `Switch to ${growth}` }).click()
  const agents = dialog.getByRole('group', { name: 'The agent that goes on' }).getByRole('radio')
  await expect(agents).toHaveCount(3)
  await expect(agents.first(), 'without a choice, the first').toBeChecked()
  await expect(agents.first()).toHaveAccessibleName(new RegExp(`\\${number}`))
  await expect(dialog).toContainText(
    new RegExp(`${RegExp.escape(growth)} has no place for Second desk.* and Third desk.*\\. From`),
  )
  await inEveryDress(page, (dress) => expectSound(page, dress))
  await dialog.getByRole('radio', { name: 'Third desk' }).check()
  await expect(dialog).toContainText(`(${number}) and Second desk`)
  await dialog.getByRole('button', { name: `Switch to ${growth}` }).click()
  await expectToast(page, 'Plan noted')
  await expect(going).toContainText(`Third desk goes on with ${growth} from`)

  await choose.click()
  await expect(dialog.getByRole('radio', { name: 'Third desk' }), 'it is kept').toBeChecked()
  await dialog.getByRole('radio', { name: 'Third desk' }).press('ArrowUp')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(choose).toBeFocused()
  await page.reload()
  await expect(going).toContainText(`Second desk goes on with ${growth} from`)
  await inEveryDress(page, (dress) => expectSound(page, dress))

  await page.getByRole('button', { name: `Keep ${pro}` }).click()
  await expectToast(page, 'Plan kept')
  await expect(going).toBeHidden()
  await page.getByRole('button', { name: `Switch to ${growth}` }).click()
  await expect(agents.first(), 'the choice is taken back with the plan').toBeChecked()
})

test('of an agent with more numbers than the next plan has lines, exactly so many go on', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ plan: 'pro', onboarded: true })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  const [first, second, third] = ['+15550300084', '+15550300085', '+15550300086'] as const
  for (const number of [first, second, third]) {
    await page.request.post(`${mounts.voice}/test/number`, { data: { number } })
    const row = { p_account: account.id, p_id: number, p_number: number }
    await secret.rpc('add_bought_number', row).throwOnError()
  }
  await openSignedIn(page, account, '/portal/billing')
  await page.getByRole('button', { name: `Switch to ${growth}` }).click()
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: `Switch to ${growth}` })
  await dialog.getByRole('checkbox', { name: third }).check()
  await confirm.click()
  await expect(dialog.getByRole('alert')).toHaveText(`Choose exactly as many as ${growth} has.`)
  await dialog.getByRole('checkbox', { name: first }).uncheck()
  await expect(dialog).toContainText(`${growth} has no place for ${first}.`)
  await confirm.click()
  await expect(page.getByText(`There is no place for ${first}.`)).toBeVisible()
})
