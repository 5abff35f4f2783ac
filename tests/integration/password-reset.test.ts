import { expect, test } from 'vitest'
import { services } from '#platform/server/services.ts'
import { site } from '#site'
import { captureLog } from '../support/log.ts'
import { freshEmail } from '../support/money.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const name = 'request-password-reset'

test('a known e-mail gets a link that sets a new password, once', async () => {
  const email = freshEmail()
  await world.admin().auth.admin.createUser({ email, password: 'the old one', email_confirm: true })
  const answer = await world.post(name, { email: ` ${email.toUpperCase()} ` })
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({ accepted: true })

  const mail = world.mails().find(({ to }) => to === email)
  expect(mail?.subject).toBe(`Set a new ${site.name} password`)
  const [link = ''] = mail?.links ?? []
  expect(link).toMatch(`${world.origin}/new-password?token=`)
  const token = new URL(link).searchParams.get('token') ?? ''
  const visitor = world.client()
  expect((await visitor.auth.verifyOtp({ token_hash: token, type: 'recovery' })).error).toBeNull()
  expect((await visitor.auth.updateUser({ password: 'the new one' })).error).toBeNull()
  const signIn = (password: string) => world.client().auth.signInWithPassword({ email, password })
  expect((await signIn('the new one')).error).toBeNull()
  expect((await signIn('the old one')).error?.code).toBe('invalid_credentials')
  expect((await world.client().auth.verifyOtp({ token_hash: token, type: 'recovery' })).error?.code).toBe(
    'otp_expired',
  )
})

test('272. The mail about a forgotten password cannot be sent → it is sent later', async () => {
  const email = freshEmail()
  await world.admin().auth.admin.createUser({ email, password: 'the old one', email_confirm: true })
  const { env } = services()
  const key = env.MAIL_API_KEY
  env.MAIL_API_KEY = 're_wrong'
  const log = captureLog()
  expect((await world.post(name, { email })).json).toEqual({ accepted: true })
  env.MAIL_API_KEY = key
  expect(log.notices()).toMatchObject([{ event: 'account links', code: 'mail invalid_api_key' }])
  await world.hasten('account links')
  await world.work('account links')
  expect(world.mails().filter(({ to }) => to === email)).toHaveLength(1)
})

test('an unknown e-mail: the same answer, and no mail', async () => {
  const before = world.mails().length
  const answer = await world.post(name, { email: freshEmail() })
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({ accepted: true })
  expect(world.mails()).toHaveLength(before)
})

test('an invalid e-mail: 400', async () => {
  for (const email of ['', 'nobody', 'a@b@c', null, 7]) {
    expect((await world.post(name, { email })).status).toBe(400)
  }
})
