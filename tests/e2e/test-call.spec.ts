import { mounts } from '../../local/environment.ts'
import { axeViolations } from '../support/axe.ts'
import { expect, openParts, openSignedIn, test } from './fixtures.ts'

test.use({ allowedConsole: /status of 502|Error starting call|ERR_FAILED|call object bundle|sentry/ })

/** Answers Daily's library as its call machine does, without a room: it joins, leaves, and can be told to hang up. */
const callMachine = `(() => {
  const send = (id, message) =>
    postMessage({ what: 'iframe-call-message', from: 'embedded', callClientId: id, ...message }, location.origin)
  for (const id of window._daily.pendings.splice(0)) {
    const machine = { reset() {}, store: { getState: () => ({}) } }
    window._daily.instances[id] = { ...window._daily.instances[id], callMachine: machine }
    send(id, { action: 'call-machine-initialized' })
    window.agentHangsUp = () => send(id, { action: 'left-meeting' })
  }
  addEventListener('message', ({ data }) => {
    if (data?.what !== 'iframe-call-message' || data.from !== 'module') return
    ;(window.toMachine ??= []).push(data.action)
    if (data.action === 'join-meeting') {
      window.joinedUrl = data.properties.url
      send(data.callClientId, { action: 'joined-meeting', participants: {} })
    }
    if (data.action === 'leave-meeting') send(data.callClientId, { action: 'left-meeting' })
  })
})()`

test('a line that fails, or a press, ends a call that is being connected', async ({
  page,
  customer,
  secret,
}) => {
  const account = await customer({ onboarded: true })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  await page.request.post(`${mounts.voice}/test/number`, { data: { number: '+15550300078' } })
  const number = { p_account: account.id, p_id: '+15550300078', p_number: '+15550300078' }
  await secret.rpc('add_bought_number', number).throwOnError()
  await page.route('https://c.daily.co/**', (route) => route.abort())
  await openSignedIn(page, account, '/portal/agent')
  // Saving makes it.
  await openParts(page, 'The business')
  await page.getByLabel('What it does').fill('A hotel by the lake.')
  const call = page.getByRole('button', { name: 'Call your agent' })
  await call.click()
  await expect(page.getByRole('alert')).toContainText('The call could not be connected.')
  await expect(call).toBeFocused()

  // Nobody has answered yet.
  const asked = page.waitForRequest('https://c.daily.co/**')
  await page.route('https://c.daily.co/**', () => undefined)
  await page.keyboard.press('Enter')
  await asked
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(call).toBeFocused()
  await expect(page.getByText('A real call from this browser')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

declare global {
  interface Window {
    agentHangsUp: () => void
    joinedUrl: string
    toMachine: string[]
  }
}

test('a customer calls the own agents from the portal, and is told what keeps a call from working', async ({
  page,
  customer,
  secret,
}) => {
  const control = async (name: string, data?: object) => {
    const url = `${mounts.voice}/test/${name}`
    const response = await (data ? page.request.post(url, { data }) : page.request.get(url))
    expect(response.status(), await response.text()).toBe(200)
    return (await response.json()) as Record<string, unknown>
  }
  const account = await customer({ onboarded: true, plan: 'pro' })
  await control('number', { number: '+15550300077' })
  await secret.rpc('want_voice_agent', { p_user_id: account.id }).throwOnError()
  await secret
    .rpc('add_bought_number', {
      p_account: account.id,
      p_id: '+15550300077',
      p_number: '+15550300077',
    })
    .throwOnError()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.route('https://c.daily.co/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: callMachine }),
  )
  await openSignedIn(page, account, '/portal/agent')
  const call = page.getByRole('button', { name: 'Call your agent' })
  await expect(call, 'nobody can call an agent that is not made').toHaveCount(0)
  // Saving makes it.
  await openParts(page, 'The business', 'Questions and answers')
  await page.getByLabel('Name of your business').fill('Harbour House')
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Are dogs welcome?')
  await page.getByLabel('Answer', { exact: true }).fill('Dogs are welcome.')
  await expect(call).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.evaluate(() => {
    const devices = navigator.mediaDevices
    const ask = devices.getUserMedia.bind(devices)
    let isRefused = true
    devices.getUserMedia = (wanted) => {
      if (!isRefused) return ask(wanted)
      isRefused = false
      return Promise.reject(new DOMException('', 'NotAllowedError'))
    }
  })
  await call.click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('The microphone is not allowed on this page')
  await control('fail-next', { path: 'POST /vapi/call', status: 500 })
  await call.click()
  await expect(alert).toContainText('The voice provider does not answer. Test your agent with')
  expect(loaded.filter((url) => /join-vapi|daily\.co/.test(url))).toEqual([])

  await page.keyboard.press('Enter')
  const hangUp = page.getByRole('button', { name: 'Hang up' })
  await expect(hangUp).toBeFocused()
  await expect(page.getByText('You are talking to your agent.')).toHaveRole('status')
  await expect(page.getByRole('timer', { name: 'Length of the call' })).toHaveText(/^0:0\d$/)
  await expect(alert).toHaveCount(0)
  const { calls } = (await control('state')) as { calls: { id: string; metadata: { account: string } }[] }
  const own = calls.find(({ metadata }) => metadata.account === account.id)!
  expect(await page.evaluate(() => window.joinedUrl)).toContain(own.id.slice(0, 20))
  await page.evaluate(() => window.agentHangsUp())
  await expect(page.getByText('The call has ended after 0:0')).toHaveRole('status')
  await expect(call).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(hangUp).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The call has ended after 0:0')).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.toMachine)).toContain('leave-meeting')

  // A further agent is called like the first.
  await openParts(page, 'People and numbers')
  await page.getByLabel('Name of a further agent').fill('Second desk')
  await page.getByRole('button', { name: 'Add an agent' }).click()
  const choice = page.getByLabel('Agent to call')
  await choice.selectOption({ label: 'Second desk' })
  await call.click()
  await expect(hangUp).toBeVisible()
  await expect(choice).toBeDisabled()
  const { calls: later, assistants } = (await control('state')) as {
    calls: { id: string; agent: string }[]
    assistants: { id: string; firstMessage: string }[]
  }
  const joinedUrl = await page.evaluate(() => window.joinedUrl)
  const second = later.find(({ id }) => joinedUrl.includes(id.slice(0, 20)))!
  expect(assistants.find(({ id }) => id === second.agent)!.firstMessage).toContain('Second desk')
  await hangUp.click()
})
