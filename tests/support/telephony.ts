import { noKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { mounts } from '../../local/environment.ts'
import { customerInPeriod } from './admin.ts'
import type { World } from './world.ts'

interface AtVapi {
  assistants: { id: string; metadata: { account: string }; model: { messages: { content: string }[] } }[]
  numbers: {
    id: string
    number: string
    name?: string
    fallbackDestination?: { number: string } | null
  }[]
}
export type Customer = Awaited<ReturnType<typeof customerInPeriod>>

export const dogs = {
  question: 'Are dogs welcome?',
  answer: 'Dogs are welcome for $10 a night.',
  origin: 'written',
} as const

/** Customers with their agents and numbers in a world, and the controls of its voice provider. */
export function telephonyIn(world: World) {
  /** Uses a control of the stand-in for the voice provider, or reads its state. */
  async function control<T = Record<string, unknown>>(name: string, body?: object): Promise<T> {
    const response = await fetch(`${world.origin}${mounts.voice}/test/${name}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const atVapi = () => control<AtVapi>('state')
  const agentsOf = async (account: string) =>
    (await atVapi()).assistants.filter(({ metadata }) => metadata.account === account)

  let count = 0
  /** Enters a number for the operator. Vapi sells no more than five to an account. */
  async function freeNumber(): Promise<string> {
    const number = `+1555020${String((count += 1)).padStart(4, '0')}`
    await control('number', { number })
    await world.sql(`insert into public.phone_numbers (number, at_provider) values ($1, true)`, [number])
    return number
  }
  const buyer = (more: Record<string, unknown> = {}): Promise<Customer> =>
    customerInPeriod(world, { onboarding_completed: true, ...more })
  /** Returns a customer for whom the operator has a number. */
  async function customer(more: Record<string, unknown> = {}): Promise<Customer> {
    await freeNumber()
    return buyer(more)
  }
  const update = ({ token }: Customer) =>
    world.post('update-my-agent', {}, { authorization: `Bearer ${token}` })
  const teach = ({ client, id }: Customer, knowledge: Partial<AgentKnowledge>) =>
    client
      .from('agent_knowledge')
      .upsert({ user_id: id, knowledge: { ...noKnowledge, ...knowledge } })
      .throwOnError()
  const stateOf = async ({ client }: Customer) => (await client.rpc('my_agent').throwOnError()).data
  const numberOf = async (person: Customer): Promise<string> => {
    const { numbers } = (await stateOf(person)) as { numbers: { number: string }[] }
    return numbers[0]!.number
  }
  /** Lets the next try begin, which would wait for minutes. */
  const retryNow = (account: string) =>
    world.sql(`update private.jobs set due_at = now() where kind = 'agents' and key = $1`, [account])
  const minutesOf = async (id: string): Promise<number> =>
    Number(
      (await world.sql('select sum(minutes) from public.minute_ledger where user_id = $1', [id]))[0]!.sum ??
        0,
    )
  return {
    control,
    atVapi,
    agentsOf,
    freeNumber,
    buyer,
    customer,
    update,
    teach,
    stateOf,
    numberOf,
    retryNow,
    minutesOf,
  }
}
