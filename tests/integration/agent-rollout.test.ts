import { expect, test } from 'vitest'
import { env, type ServerEnv } from '#platform/server/env.ts'
import { local } from '../../local/environment.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { telephonyIn } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, agentsOf, atVapi, customer, numberOf, update, retryNow } = telephonyIn(world)

/** How many agents there are, more than the first two minutes take; AGENTS=1000 tries it with more. */
const count = Number(process.env.AGENTS ?? 14)

test(
  'what a release changes reaches each agent once: first one, then ten a minute, and none after an error',
  { timeout: 40_000 + count * 1_000 },
  async () => {
    for (let nth = 0; nth < count; nth += 1) await update(await customer())
    const made = (await atVapi()).assistants.map(({ id }) => id)
    await world.work('agent rollout')
    const outdated = async (): Promise<number> => {
      const [row] = await world.sql<{ count: number }>(
        `select count(*)::integer as count from public.voice_agents where digest = 'of before'`,
      )
      return row!.count
    }
    /** A minute of the clock: looks for agents that differ, and updates those that are due. */
    const minute = async (): Promise<number> => {
      await world.work('agent rollout', 'agents')
      return outdated()
    }
    await world.sql(`update public.voice_agents set digest = 'of before', compared_with = 'of before'`)
    await control('requests', { reset: true })

    expect(await minute(), 'first one').toBe(count - 1)
    await control('fail-next', { path: 'PATCH /vapi/assistant', status: 400, times: 3 })
    const refused = minute()
    await refused.catch(() => undefined)
    const left = await outdated()
    expect(left, 'ten were begun').toBeGreaterThanOrEqual(count - 11)
    expect(left).toBeLessThan(count)
    expect(await minute(), 'none is begun while one has failed').toBe(left)
    const failed = await world.sql<{ account: string }>(
      'select account from public.voice_agents where error is not null',
    )
    expect(failed.length).toBeGreaterThan(0)
    await control('reset', {})
    for (const { account } of failed) await retryNow(account)

    // A lost answer is looked up and sent again.
    await control('fail-next', { path: 'PATCH /vapi/assistant', timeout: true })
    for (let minutes = 0; (await outdated()) > 0; minutes += 1) {
      expect(minutes, 'all converge').toBeLessThan(count / 5 + 10)
      for (const { account } of await world.sql<{ account: string }>(
        'select account from public.voice_agents where error is not null',
      ))
        await retryNow(account)
      await minute().catch(() => undefined)
    }
    const { requests } = await control<{ requests: { method: string; path: string }[] }>('requests')
    expect(requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/assistant'))).toEqual(
      [],
    )
    expect((await atVapi()).assistants.map(({ id }) => id)).toEqual(made)
    await control('requests', { reset: true })
    await minute()
    expect(
      (await control<{ requests: unknown[] }>('requests')).requests,
      'all are as they should be',
    ).toEqual([])
  },
)

test('while the credential is rotated, no agent is cut off', async () => {
  const person = await customer()
  await update(person)
  await world.work('agent rollout')
  const isAnswered = async () => {
    const { got, call } = await control<Outcome>('ring', { number: await numberOf(person), caller: null })
    const given = { name: 'Ada', about: 'Parking', message: 'Is there any?' }
    const { status } = await control('tools', { call, calls: [{ name: 'take_message', given }] })
    await control('hang-up', { call, seconds: 1, report: false })
    return got === 'agent' && status === 200
  }
  const credentials = async () =>
    JSON.stringify(await agentsOf(person.id)).match(/(?<="credentialId":")[^"]+/g)
  const [id, secret] = ['credential-new', 'secret-new']
  await control('credential', { id, secret })
  const before = { ...env() }
  /** Deploys with variables. A process keeps those with which it began. */
  const deploy = (variables: Partial<ServerEnv>) => Object.assign(env(), variables)
  try {
    deploy({
      VAPI_WEBHOOK_CREDENTIAL: id,
      VAPI_WEBHOOK_SECRET: `${secret} ${local.vapiWebhookSecret}`,
    })
    expect(new Set(await credentials())).toEqual(new Set([local.vapiCredential]))
    expect(await isAnswered(), 'signed with the old secret').toBe(true)
    for (let minutes = 0; (await credentials())!.some((each) => each !== id); minutes += 1) {
      expect(minutes, 'all follow').toBeLessThan(count / 5 + 10)
      await world.work('agent rollout', 'agents')
    }
    deploy({ VAPI_WEBHOOK_SECRET: secret })
    expect(await isAnswered(), 'signed with the new secret').toBe(true)
  } finally {
    deploy(before)
  }
})
