import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { mounts } from '../../local/environment.ts'
import { customerInPeriod } from '../support/admin.ts'
import type { World } from '../support/world.ts'
import { Random } from './random.ts'

/** What happened to an agent, and what of it is wrong in the end. */
export interface AgentHistory {
  seed: number
  log: string[]
  broken: string[]
}

interface AtVapi {
  assistants: { id: string; metadata: { account: string }; model: { messages: { content: string }[] } }[]
  numbers: { number: string; name?: string; server?: object | null }[]
}

/** A fault of one request of a step: to the provider, or the one that writes down what the provider has become. */
interface Fault {
  request: number
  how: 'refused' | 'dropped' | 'lost'
}
const hows = ['refused', 'dropped', 'lost'] as const
const isCounted = (url: string): boolean =>
  url.includes(`${mounts.voice}/vapi/`) || url.endsWith('/rpc/end_voice_agent')

/** Lets the fault happen while `run` runs. */
async function withFault(fault: Fault | undefined, run: () => Promise<unknown>): Promise<void> {
  const network = globalThis.fetch
  let count = 0
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!isCounted(url) || ++count !== fault?.request) return network(input, init)
    if (fault.how === 'refused') return Response.json({ message: 'Out of order.' }, { status: 500 })
    if (fault.how === 'lost') await network(input, init)
    throw new TypeError('fetch failed')
  }
  try {
    await run()
  } finally {
    globalThis.fetch = network
  }
}

let count = 0

/**
 * Makes, changes and deletes an account's agent at random, with a fault in most steps, and lets the scheduled function run
 * until nothing is left to do. Then a living account must have exactly one agent, which knows what was taught last, and one
 * number; a deleted one must have left nothing.
 */
export async function runAgentHistory(world: World, seed: number): Promise<AgentHistory> {
  const random = new Random(seed)
  const log: string[] = []
  const number = `+1555030${String((count += 1)).padStart(4, '0')}`
  const control = async (name: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${world.origin}${mounts.voice}/test/${name}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  await control('number', { number })
  await world.sql(`insert into public.phone_numbers (number, at_provider) values ($1, true)`, [number])
  const person = await customerInPeriod(world, { onboarding_completed: true })
  const { id: account, client, email } = person
  const authorization = `Bearer ${person.token}`
  let taught = ''
  let isDeleted = false

  const update = () => world.post('update-my-agent', {}, { authorization })
  /** Lets an hour pass: claims have run out, and waits are over. */
  const scheduled = async (): Promise<void> => {
    await world.hasten('agents', 'crashed')
    await world.work('stopped agents', 'agents')
  }
  const steps: Record<string, () => Promise<unknown>> = {
    'opens the portal': update,
    teaches: async () => {
      taught = `Fact ${random.between(1, 1_000_000)}.`
      await client
        .from('agent_knowledge')
        .upsert({ user_id: account, knowledge: { ...noKnowledge, about: taught } })
        .throwOnError()
      await update()
    },
    'an hour passes': scheduled,
    'opens two tabs': () => Promise.all([update(), update()]),
    'deletes the account': async () => {
      await world.post('delete-account', { email }, { authorization })
      isDeleted = (await world.sql('select id from auth.users where id = $1', [account])).length === 0
    },
  }
  const names = Object.keys(steps)
  for (let nth = 0, last = random.between(2, 6); nth <= last && !isDeleted; nth++) {
    const isEnd = nth === last && random.chance(0.4)
    const name = isEnd ? 'deletes the account' : random.pick(names.slice(0, -1))
    // A step has up to five requests that count.
    const fault: Fault | undefined = random.chance(0.8)
      ? { request: random.between(1, 5), how: random.pick(hows) }
      : undefined
    log.push(`${name}${fault ? ` (request ${fault.request} ${fault.how})` : ''}`)
    await withFault(fault, steps[name]!)
  }
  for (let run = 0; run < 3; run++) await scheduled()
  if (!isDeleted) await update()

  const { assistants, numbers } = (await control('state')) as AtVapi
  const agents = assistants.filter(({ metadata }) => metadata.account === account)
  const owned = await world.sql<{ number: string; account: string }>(
    'select number, account from public.phone_numbers where account is not null',
  )
  const own = owned.filter((each) => each.account === account).map((each) => each.number)
  const bound = numbers.filter(({ server }) => server).map((each) => each.number)
  const rows = await world.sql('select account from public.voice_agents where account = $1', [account])
  const expected = isDeleted ? 0 : 1
  const broken = [
    agents.length === expected ? '' : `${agents.length} agents`,
    own.length === expected ? '' : `${own.length} numbers`,
    own.every((each) => bound.includes(each)) ? '' : 'its number does not ring',
    bound.every((each) => owned.some((one) => one.number === each)) ? '' : 'a number rings for nobody',
    numbers.some(({ name }) => name === account && isDeleted) ? 'a bought number stays' : '',
    rows.length === expected ? '' : `${rows.length} rows`,
    agents.every(({ model }) => model.messages[0]!.content.includes(taught)) ? '' : 'the agent knows less',
  ].filter(Boolean)
  return { seed, log, broken }
}
