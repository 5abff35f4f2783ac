import { createClient } from '@supabase/supabase-js'
import Stripe from 'stripe'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { localEnvironment } from '../../../local/environment.ts'
import { openBillingPortal } from '#billing/server/billing-portal.ts'
import { readEnv } from './env.ts'
import { connectSupabase, runSql } from './database.ts'
import { MailError, sendMail } from '#platform/server/outgoing/mail.ts'

const env = readEnv(localEnvironment({ port: 4570, given: {} }))
afterEach(() => vi.restoreAllMocks())

const signedIn = {
  request: new Request('http://localhost/', { headers: { authorization: 'Bearer a-token' } }),
}

/** Returns services whose Supabase gives every request this response. */
const servicesWith = (respond: () => Promise<Response>) => ({
  env,
  stripe: new Stripe('sk_test_unused'),
  supabase: createClient('http://supabase.test', 'key', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: respond },
  }),
})

test.each([
  ['responds with 503', () => Promise.resolve(Response.json({ message: 'down' }, { status: 503 }))],
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
])('the billing portal while Supabase %s: 502, not "log in again"', async (_name, respond) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const opened = await openBillingPortal({}, servicesWith(respond), signedIn)
  expect(opened).toMatchObject({ ok: false, failure: { code: 'provider_unavailable' } })
})

test('the billing portal if Supabase refuses the token: 401', async () => {
  const refused = () => Promise.resolve(Response.json({ code: 'bad_jwt', message: 'no' }, { status: 403 }))
  const opened = await openBillingPortal({}, servicesWith(refused), signedIn)
  expect(opened).toMatchObject({ ok: false, failure: { code: 'unauthorized' } })
})

test('a request to a mail API that never responds is aborted after eight seconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('too late')))
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => Promise.reject(signal?.reason))
  const sending = sendMail(
    { kind: 'calls', to: 'a@example.com', subject: 'Hello', text: 'Hello' },
    servicesWith(() => Promise.reject(new Error('not asked'))),
  )
  await expect(sending).rejects.toBeInstanceOf(MailError)
  expect(limit).toHaveBeenCalledWith(8_000)
  vi.unstubAllGlobals()
})

test('173. the subject of a mail is one line of a sensible length, whatever is in it', async () => {
  const sent: { subject: string; html: string }[] = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as (typeof sent)[number])
    return Promise.resolve(Response.json({ id: 'm1' }))
  })
  const connected = servicesWith(() => Promise.resolve(Response.json(null)))
  const mail = { kind: 'calls', to: 'a@example.com', text: 'Hello' } as const
  for (const subject of [
    'Call: Ink\r\nBcc: all@example.com\u2028X: y',
    `Call: ${'🎷'.repeat(10_000)}`,
    `Call: ${'Room '.repeat(4_000)}`,
  ])
    await sendMail({ ...mail, subject }, connected)
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Call: Ink Bcc: all@example.com X: y',
    `Call: ${'🎷'.repeat(113)}…`,
    expect.stringMatching(/^Call: (Room )+R?o?o?m?…$/) as string,
  ])
  for (const { subject, html } of sent) {
    expect([...subject].length).toBeLessThanOrEqual(120)
    expect(html.length).toBeLessThan(20_000)
  }
  vi.unstubAllGlobals()
})

test('what is undefined in the arguments of an SQL function and in a changed row is not sent', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body))
    return Promise.resolve(Response.json(null))
  })
  const supabase = connectSupabase(env)
  const changes = { state: 'paid', plan: undefined }
  await runSql(supabase, 'list_calls', { p_search: '', p_limit: 1, p_after: undefined }, z.null())
  await supabase.from('checkouts').update(changes).eq('id', 'c1')
  expect(bodies).toStrictEqual([{ p_search: '', p_limit: 1 }, { state: 'paid' }])
  vi.unstubAllGlobals()
})
