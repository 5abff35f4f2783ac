import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { totp } from '../../local/supabase/totp.ts'
import { signedIn } from '../support/admin.ts'
import { freshEmail } from '../support/money.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const denied = '42501'

/** Creates an admin who needs a second factor, and signs in with the password. */
async function admin() {
  const email = freshEmail()
  const person = await signedIn(world, email)
  await world.sql('select public.make_admin($1)', [person.id])
  return { ...person, email }
}
const signIn = async (email: string): Promise<SupabaseClient> => {
  const client = world.client()
  const { error } = await client.auth.signInWithPassword({ email, password: 'a long enough phrase' })
  expect(error).toBeNull()
  return client
}
async function enrol({ auth }: SupabaseClient): Promise<{ id: string; secret: string }> {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  expect(error).toBeNull()
  return { id: data!.id, secret: data!.totp.secret }
}
const enter = ({ auth }: SupabaseClient, { id, secret }: { id: string; secret: string }) =>
  auth.mfa.challengeAndVerify({ factorId: id, code: totp(secret, Date.now()) })
const access = async (client: SupabaseClient): Promise<unknown> =>
  (await client.rpc('admin_access').throwOnError()).data
const level = async ({ auth }: SupabaseClient) => (await auth.mfa.getAuthenticatorAssuranceLevel()).data

const tables = [
  'faqs',
  'audio_demos',
  'audit_log',
  'leads',
  'webhook_events',
  'payment_flags',
  'phone_numbers',
]
const calls: [string, Record<string, unknown>][] = [
  ['list_users', { p_search: '', p_status: null, p_limit: 50, p_offset: 0 }],
  ['list_agents', { p_search: '', p_state: null, p_limit: 20, p_offset: 0 }],
  ['admin_overview', {}],
  ['request_publication', {}],
]

test('a password alone opens nothing of the admin’s; with the code of an enrolled app everything opens', async () => {
  const { client, token } = await admin()
  await world.sql(`insert into public.faqs (id, question, answer) values ('1763683200009', 'Late?', 'Yes.')`)
  await world.sql(`insert into public.webhook_events (id, type) values ('evt_second', 'invoice.paid')`)
  await world.sql(`insert into public.phone_numbers (number) values ('+15550320001')`)
  expect(await access(client)).toBe('second_factor')
  for (const table of tables) expect((await client.from(table).select('*')).data, table).toEqual([])
  for (const [name, args] of calls) expect((await client.rpc(name, args)).error?.code, name).toBe(denied)
  const replay = (bearer: string) =>
    world.post('replay-webhook-event', { eventId: 'evt_unknown' }, { authorization: `Bearer ${bearer}` })
  expect((await replay(token)).status).toBe(403)

  const factor = await enrol(client)
  expect(await access(client), 'an app that is not confirmed').toBe('second_factor')
  const wrong = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: 'abcdef' })
  expect(wrong.error?.code).toBe('mfa_verification_failed')
  expect(await access(client)).toBe('second_factor')

  expect((await enter(client, factor)).error).toBeNull()
  expect(await level(client)).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
  })
  expect((await client.auth.refreshSession()).error).toBeNull()
  expect(await level(client), 'a new token of the same session').toMatchObject({ currentLevel: 'aal2' })
  expect(await access(client)).toBe('granted')
  for (const table of ['faqs', 'webhook_events', 'phone_numbers'])
    expect((await client.from(table).select('*')).data, table).not.toEqual([])
  for (const [name, args] of calls) expect((await client.rpc(name, args)).error, name).toBeNull()
  const { data } = await client.auth.getSession()
  expect((await replay(data.session!.access_token)).status).toBe(404)
})

test('whoever has only the password neither enrols another app, nor removes it, nor changes the password', async () => {
  const { client, email } = await admin()
  const before = await signIn(email)
  const factor = await enrol(client)
  await enter(client, factor)
  expect((await before.auth.refreshSession()).error?.code, 'sessions without it end').toMatch(
    /session|refresh/,
  )

  const thief = await signIn(email)
  expect(await access(thief)).toBe('second_factor')
  expect(await level(thief)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  const another = await thief.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' })
  expect(another.error?.code).toBe('insufficient_aal')
  expect((await thief.auth.mfa.unenroll({ factorId: factor.id })).error?.code).toBe('insufficient_aal')
  expect((await thief.auth.updateUser({ password: 'another phrase' })).error?.code).toBe('insufficient_aal')
  expect(await access(client)).toBe('granted')
  expect((await client.auth.updateUser({ password: 'another phrase' })).error).toBeNull()
})

test('a challenge is taken once, by its own factor, within five minutes', async () => {
  const { client } = await admin()
  const factor = await enrol(client)
  const verify = (challengeId: string) =>
    client.auth.mfa.verify({ factorId: factor.id, challengeId, code: totp(factor.secret, Date.now()) })
  const { data: late } = await client.auth.mfa.challenge({ factorId: factor.id })
  await world.sql(`update auth.mfa_challenges set created_at = now() - interval '6 minutes'`)
  expect((await verify(late!.id)).error?.code).toBe('mfa_challenge_expired')
  expect((await verify(crypto.randomUUID())).error?.code).toBe('mfa_factor_not_found')
  const { data: challenge } = await client.auth.mfa.challenge({ factorId: factor.id })
  expect((await verify(challenge!.id)).error).toBeNull()
  expect((await verify(challenge!.id)).error?.code).toBe('mfa_ip_address_mismatch')
  const stranger = await signedIn(world)
  const theirs = await stranger.client.auth.mfa.challenge({ factorId: factor.id })
  expect(theirs.error?.code).toBe('mfa_factor_not_found')
})

test('a second factor makes nobody an admin', async () => {
  const { client } = await signedIn(world)
  expect((await enter(client, await enrol(client))).error).toBeNull()
  expect(await access(client)).toBe('none')
  expect((await world.client().rpc('admin_access')).error?.code).toBe(denied)
})
