import * as z from 'zod/mini'
import { withoutCostly } from '#telephony/domain/destinations.ts'
import { fallbackNumber } from '#telephony/domain/ring.ts'
import type { AgentRef, ProviderNumber } from '#telephony/domain/voice-line.ts'
import { agentMaterial, functionUrl, specOf } from './agent-material.ts'
import { voiceLine } from './connect-voice-line.ts'
import { VoiceLineError, type VoiceLine } from './voice-line.ts'
import { startJob, type JobKind } from '#platform/server/jobs.ts'
import { runSql, type Supabase } from '#platform/server/database.ts'
import { keyedHash } from '#platform/server/keyed-hash.ts'
import { logNotice } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'
import { signedInUser } from '#account/server/signed-in-user.ts'
import type { Result } from '#platform/domain/result.ts'
import { ipAddressOf, takeRateLimit } from '#platform/server/rate-limit.ts'
import type { UpdateMyAgentAnswer } from '#telephony/domain/contracts.ts'

const phoneNumber = z.object({
  number: z.string(),
  /** Whether the provider has it. An admin gives others by hand. */
  at_provider: z.boolean(),
  provider_id: z.nullable(z.string()),
  bought: z.boolean(),
  /** Whether it was given back and has been kept for long enough. */
  is_released: z.boolean(),
})

const wantedMaterial = z.nullable(z.pipe(agentMaterial, z.transform(withoutCostly)))
const begunUpdate = z.nullable(
  z.object({
    account: z.string(),
    wanted_at: z.string(),
    provider_id: z.nullable(z.string()),
    was_asked: z.boolean(),
    is_gone: z.boolean(),
    /** How many phone numbers it is to have. */
    lines: z.number(),
    material: wantedMaterial,
    numbers: z.array(phoneNumber),
  }),
)
type AgentUpdate = NonNullable<z.infer<typeof begunUpdate>>
type PhoneNumber = z.infer<typeof phoneNumber>

/** Without a voice provider, agents wait for one. In seconds. */
const tenMinutes = 600

/** Makes an agent at the voice provider what its account wants: makes, changes or removes it, and binds its numbers. */
export const agents: JobKind = {
  kind: 'agents',
  isLong: true,
  lanes: 4,
  attempts: Infinity,
  async run({ key, claim }, connected) {
    const line = await voiceLine(connected.env)
    if (!line) return tenMinutes
    const begun = { p_account: key }
    const agent = await runSql(connected.supabase, 'begin_agent_update', begun, begunUpdate)
    if (agent) await update(agent, claim, line, connected)
    return undefined
  },
}

/** Notes whose agents are stopped, and has those updated that time has made due. */
export const stoppedAgents: JobKind = {
  kind: 'stopped agents',
  everyMinutes: 5,
  run: async (_, { supabase }) => void (await runSql(supabase, 'note_stopped_agents', {}, z.unknown())),
}

const compared = z.object({
  changes: z.number(),
  agents: z.array(
    z.object({
      account: z.string(),
      digest: z.nullable(z.string()),
      material: wantedMaterial,
    }),
  ),
})

/**
 * Brings what a release of ours changes to the agents that exist: a rule of the prompt, a tool, an address, the credential or the
 * model. Compares each agent once with what it is to be now, and changes one, then ten a minute. A provider's error stops it: the
 * agent that failed is tried again, and the operator is told of it as of each (`waiting agents`).
 */
export const agentRollout: JobKind = {
  kind: 'agent rollout',
  everyMinutes: 1,
  async run(_, { env, supabase }) {
    const line = await voiceLine(env)
    if (!line) return
    // What all agents have in common, and the code: on a laptop, where no release has a name, the code is what it was.
    const { VAPI_WEBHOOK_CREDENTIAL, VAPI_MODEL, PUBLIC_SITE_URL, VAPI_API_URL } = env
    const settings = [VAPI_WEBHOOK_CREDENTIAL, VAPI_MODEL, PUBLIC_SITE_URL, VAPI_API_URL]
    const p_release = keyedHash(JSON.stringify([process.env.COMMIT_REF, ...settings]), env)
    const found = await runSql(supabase, 'agents_to_compare', { p_release }, compared)
    if (found.agents.length === 0) return
    const isChanged = ({ account, digest, material }: (typeof found.agents)[number]): boolean =>
      material !== null && line.digest(specOf(account, material, env)) !== digest
    const accounts = (agents: typeof found.agents): string[] => agents.map(({ account }) => account)
    const { same = [], changed = [] } = Object.groupBy(found.agents, (agent) =>
      isChanged(agent) ? 'changed' : 'same',
    )
    const rolled = { p_release, p_same: accounts(same), p_changed: accounts(changed.slice(0, found.changes)) }
    await runSql(supabase, 'note_compared', rolled, z.unknown())
  },
}

/** Updates one agent. What it became by then is kept, also if a later step fails. */
async function update(
  agent: AgentUpdate,
  claim: string,
  line: VoiceLine,
  { env, supabase }: Services,
): Promise<void> {
  let ref = agent.provider_id
  let digest: string | null = null
  const end = (error: string | null): Promise<boolean> =>
    runSql(
      supabase,
      'end_agent_update',
      {
        p_account: agent.account,
        p_claim: claim,
        p_provider_id: ref,
        p_live: error === null ? agent.wanted_at : null,
        p_digest: digest,
        p_records: agent.material?.record_calls ?? false,
        p_error: error,
      },
      z.boolean(),
    )
  try {
    if (agent.is_gone || !agent.material) {
      await remove(agent, line)
      ref = null
      logNotice('update-agents', { removed: agent.account })
    } else {
      const spec = specOf(agent.account, agent.material, env)
      ref ??= await existing(agent, line)
      if (ref) await line.change(ref, spec)
      else ref = await line.make(spec)
      digest = line.digest(spec)
      const kept = await releaseNumbers(agent, line, supabase)
      const ring = { url: functionUrl('ring-vapi', env), fallback: fallbackNumber(agent.material) }
      for (const each of await numbersOf(kept, line, supabase)) {
        if (each.at_provider) await line.bind(each.number, ref, ring)
      }
    }
    await end(null)
  } catch (error) {
    if (error instanceof VoiceLineError) await end(`${error.status ?? 'no response'}: ${error.words}`)
    throw error
  }
}

/** Returns the agent that an earlier try has made without our knowing. Removes others of the account. */
async function existing({ account, was_asked }: AgentUpdate, line: VoiceLine): Promise<AgentRef | null> {
  if (!was_asked) return null
  const [first, ...others] = await line.find(account)
  for (const other of others) await line.remove(other)
  return first ?? null
}

/** Removes all that the provider has of an account that is deleted, or has not been entitled to its agent for long. */
async function remove({ account, numbers }: AgentUpdate, line: VoiceLine): Promise<void> {
  for (const number of numbers) await release(number, line)
  await line.removeAll(account)
}

/** Takes a number away from its agent at the provider; one that was bought is given back there. */
async function release(
  { number, at_provider, provider_id, bought }: PhoneNumber,
  line: VoiceLine,
): Promise<void> {
  if (!at_provider) return
  if (bought && provider_id) await line.releaseNumber({ id: provider_id })
  else await line.bind(number, null, { url: '', fallback: null })
}

/** Releases the numbers that the account gave back long ago. Returns the agent as it is without them. */
async function releaseNumbers(agent: AgentUpdate, line: VoiceLine, supabase: Supabase): Promise<AgentUpdate> {
  const released = agent.numbers.filter((each) => each.is_released)
  for (const each of released) {
    await release(each, line)
    const done = { p_account: agent.account, p_number: each.number }
    await runSql(supabase, 'release_given_back', done, z.unknown())
    logNotice('update-agents', { released: 'number', id: each.provider_id ?? undefined, of: agent.account })
  }
  return {
    ...agent,
    numbers: agent.numbers.filter((each) => !each.is_released),
    lines: Math.max(1, agent.lines - released.length),
  }
}

/** Returns the agent's phone numbers. For each that it lacks, gives it a free one, or buys one. */
async function numbersOf(
  { account, numbers, lines }: AgentUpdate,
  line: VoiceLine,
  supabase: Supabase,
): Promise<PhoneNumber[]> {
  const all = [...numbers]
  const atProvider = numbers.filter(({ at_provider }) => at_provider).length
  for (let nth = atProvider + 1; nth <= lines; nth++) {
    const assign = { p_account: account, p_lines: nth }
    const free = await runSql(supabase, 'assign_phone_number', assign, z.nullable(phoneNumber))
    all.push(free ?? (await buyNumber(account, nth, line, supabase)))
  }
  return all
}

/** Buys an agent's nth number, unless an earlier try has bought it. */
async function buyNumber(
  account: string,
  nth: number,
  line: VoiceLine,
  supabase: Supabase,
): Promise<PhoneNumber> {
  const wanted = nth === 1 ? account : `${account}#${nth}`
  const bought = async (): Promise<ProviderNumber | undefined> =>
    (await line.listNumbers()).find(({ name }) => name === wanted)
  // A number that was bought just now may be named only by the list.
  const made = (await bought()) ?? (await line.buyNumber(wanted).then(bought))
  if (!made?.number) throw new VoiceLineError('buyNumber', undefined, 'The number is being activated.')
  const added = { p_account: account, p_id: made.id, p_number: made.number }
  return runSql(supabase, 'add_bought_number', added, phoneNumber)
}

/**
 * Updates the signed-in customer's agents at the voice provider, so that nobody waits for the clock.
 * @throws DatabaseError
 */
export async function updateMyAgent(
  request: Request,
  connected: Services,
): Promise<Result<UpdateMyAgentAnswer>> {
  const user = await signedInUser(request, connected)
  if (!user.ok) return user
  const { id } = user.value
  const keys = { ipAddress: ipAddressOf(request), subject: id }
  const rateLimited = await takeRateLimit('agent', keys, connected)
  if (rateLimited) return { ok: false, failure: rateLimited }
  const wanted = await runSql(connected.supabase, 'want_voice_agent', { p_user_id: id }, z.array(z.string()))
  let updated = false
  for (const agent of wanted) updated = (await startJob(agents, agent, connected)) || updated
  return { ok: true, value: { wanted: wanted.length > 0, updated } }
}
