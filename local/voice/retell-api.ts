import { Hono } from 'hono'
import * as z from 'zod/mini'
import { freeNumber, latest, newCall, newId, versionOf, without, type Account } from './account.ts'
import { readBody, Refusal, refusalOf } from './errors.ts'
import { retellCallOf } from './reports.ts'
import type { Call, Fields, RetellNumber, Version, Versioned } from './state.ts'
import {
  agentChange,
  boundAgent,
  brought,
  engine,
  listRequest,
  newAgent,
  newNumber,
  newPhoneCall,
  newWebCall,
  numberFields,
} from './retell-requests.ts'

/** A voice is known by its maker's prefix. */
const voice = /^(11labs|cartesia|minimax|openai|retell|custom_voice)[-_].+/

/** Serves Retell's API (https://docs.retellai.com/api-references) under the mount's `/retell`. */
export function retellApi(account: Account): Hono {
  const { store } = account
  const app = new Hono()

  const unknown = (what: string, id: string) => new Refusal(422, `${what} not found: ${id}`)
  const agentOf = (id: string): Versioned => {
    const found = store.get('agents', id)
    if (!found) throw unknown('Agent', id)
    return found
  }
  const engineOf = (id: string): Versioned => {
    const found = store.get('engines', id)
    if (!found) throw unknown('Retell LLM', id)
    return found
  }
  const numberOf = (number: string): RetellNumber => {
    const found = store.get('retellNumbers', number)
    if (!found) throw unknown('Phone number', number)
    return found
  }
  const callOf = (id: string): Call => {
    const found = store.get('calls', id)
    if (found?.provider !== 'retell') throw unknown('Call', id)
    return found
  }
  const wanted = (versioned: Versioned, query: string | undefined): Version => {
    const name = query === undefined || Number.isNaN(Number(query)) ? query : Number(query)
    const found = versionOf(versioned, name)
    if (!found) throw new Refusal(404, `Version not found: ${query}`)
    return found
  }
  /** Changes a draft. A published version never changes. */
  const changed = (versioned: Versioned, query: string | undefined, changes: Fields): Versioned => {
    const target = wanted(versioned, query)
    if (target.is_published)
      throw new Refusal(400, `Version ${target.version} is published and cannot be changed.`)
    const { version, is_published } = target
    return {
      ...versioned,
      versions: versioned.versions.map((each) =>
        each === target ? { ...each, ...changes, version, is_published } : each,
      ),
    }
  }
  const shownEngine = ({ id }: Versioned, version: Version) => ({
    llm_id: id,
    last_modification_timestamp: Date.now(),
    ...version,
  })
  const shownAgent = ({ id }: Versioned, version: Version) => ({
    agent_id: id,
    channel: 'voice',
    last_modification_timestamp: Date.now(),
    ...version,
  })
  const engineIdOf = (version: Version): string => (version.response_engine as { llm_id: string }).llm_id
  /** An engine belongs to one agent, and agents have known voices. */
  const check = (agent: string | undefined, body: z.infer<typeof agentChange>): void => {
    if (body.voice_id !== undefined && !voice.test(body.voice_id)) throw unknown('Voice', body.voice_id)
    const engine = body.response_engine?.llm_id
    if (engine === undefined) return
    engineOf(engine)
    const other = store
      .all('agents')
      .find(({ id, versions }) => id !== agent && versions.some((version) => engineIdOf(version) === engine))
    if (other) throw new Refusal(400, `Retell LLM ${engine} is used by agent ${other.id}.`)
  }
  const checkBinding = (agents: z.infer<typeof boundAgent>[] | null | undefined): void => {
    if (!agents || agents.length === 0) return
    for (const { agent_id, agent_version } of agents)
      if (!versionOf(agentOf(agent_id), agent_version))
        throw new Refusal(404, `Version not found: ${agent_version}`)
    const sum = agents.reduce((total, { weight }) => total + weight, 0)
    if (Math.abs(sum - 1) > 1e-9) throw new Refusal(400, `The weights add to ${sum}, not to 1.`)
  }

  app.post('/create-retell-llm', async (c) => {
    const body = await readBody(c.req.raw, engine)
    const made: Versioned = {
      id: `llm_${newId().replaceAll('-', '')}`,
      versions: [{ ...body, version: 0, is_published: false }],
    }
    store.transact(() => store.put('engines', made.id, made))
    return c.json(shownEngine(made, latest(made)), 201)
  })
  app.get('/get-retell-llm/:id', (c) => {
    const found = engineOf(c.req.param('id'))
    return c.json(shownEngine(found, wanted(found, c.req.query('version'))))
  })
  app.patch('/update-retell-llm/:id', async (c) => {
    const body = await readBody(c.req.raw, engine)
    const after = changed(engineOf(c.req.param('id')), c.req.query('version'), body)
    store.transact(() => store.put('engines', after.id, after))
    return c.json(shownEngine(after, wanted(after, c.req.query('version'))))
  })
  app.get('/v2/list-retell-llms', (c) =>
    c.json(
      paged(
        store.all('engines').map((each) => shownEngine(each, latest(each))),
        c.req.query(),
      ),
    ),
  )
  app.delete('/delete-retell-llm/:id', (c) => {
    const { id } = engineOf(c.req.param('id'))
    const user = store.all('agents').find(({ versions }) => versions.some((each) => engineIdOf(each) === id))
    if (user && c.req.query('force_delete') !== 'true')
      throw new Refusal(400, `Retell LLM ${id} is used by agent ${user.id}.`)
    store.transact(() => store.remove('engines', id))
    return c.body(null, 204)
  })

  app.post('/create-agent', async (c) => {
    const body = await readBody(c.req.raw, newAgent)
    check(undefined, body)
    const made: Versioned = {
      id: `agent_${newId().replaceAll('-', '')}`,
      versions: [{ language: 'en-US', ...body, version: 0, is_published: false }],
    }
    store.transact(() => store.put('agents', made.id, made))
    return c.json(shownAgent(made, latest(made)), 201)
  })
  app.get('/get-agent/:id', (c) => {
    const found = agentOf(c.req.param('id'))
    return c.json(shownAgent(found, wanted(found, c.req.query('version'))))
  })
  app.patch('/update-agent/:id', async (c) => {
    const body = await readBody(c.req.raw, agentChange)
    const found = agentOf(c.req.param('id'))
    check(found.id, body)
    const after = changed(found, c.req.query('version'), body)
    store.transact(() => store.put('agents', after.id, after))
    return c.json(shownAgent(after, wanted(after, c.req.query('version'))))
  })
  app.post('/v2/list-agents', async (c) => {
    const { filter_criteria } = await readBody(c.req.raw, listRequest)
    const query = filter_criteria?.query?.toLowerCase() ?? ''
    const items = store
      .all('agents')
      .map((each) => ({ agent_id: each.id, agent_name: String(latest(each).agent_name ?? '') }))
      .filter(
        ({ agent_id, agent_name }) => agent_name.toLowerCase().includes(query) || agent_id.includes(query),
      )
      .map((item) => ({ ...item, channel: 'voice', tags: {}, user_modified_timestamp: Date.now() }))
    return c.json(paged(items, c.req.query()))
  })
  app.delete('/delete-agent/:id', (c) => {
    const { id } = agentOf(c.req.param('id'))
    store.transact(() => store.remove('agents', id))
    return c.body(null, 204)
  })
  app.post('/publish-agent-version/:id', async (c) => {
    const { version } = await readBody(c.req.raw, z.looseObject({ version: z.number() }))
    const found = agentOf(c.req.param('id'))
    const target = wanted(found, String(version))
    const used = engineOf(engineIdOf(target))
    const published = (versioned: Versioned, which: Version): Versioned => ({
      ...versioned,
      versions: versioned.versions.map((each) => (each === which ? { ...each, is_published: true } : each)),
    })
    store.transact(() => {
      store.put('agents', found.id, published(found, target))
      store.put('engines', used.id, published(used, latest(used)))
    })
    return c.body(null, 200)
  })
  app.post('/create-agent-version/:id', async (c) => {
    const { base_version } = await readBody(c.req.raw, z.looseObject({ base_version: z.number() }))
    const found = agentOf(c.req.param('id'))
    const base = wanted(found, String(base_version))
    const next = (versioned: Versioned, from: Version): Versioned => ({
      ...versioned,
      versions: [
        ...versioned.versions,
        { ...from, version: latest(versioned).version + 1, is_published: false },
      ],
    })
    const used = engineOf(engineIdOf(base))
    const after = next(found, base)
    store.transact(() => {
      store.put('agents', found.id, after)
      if (latest(used).is_published) store.put('engines', used.id, next(used, latest(used)))
    })
    return c.json(shownAgent(after, latest(after)), 201)
  })

  app.get('/v2/list-phone-numbers', (c) => c.json(paged(store.all('retellNumbers'), c.req.query())))
  app.get('/get-phone-number/:number', (c) => c.json(numberOf(c.req.param('number'))))
  const add = (fields: Fields & { phone_number: string }, type: string): RetellNumber => {
    const { phone_number } = fields
    if (store.get('retellNumbers', phone_number))
      throw new Refusal(400, `Phone number ${phone_number} is in use.`)
    const number = { ...fields, phone_number_type: type, last_modification_timestamp: Date.now() }
    store.transact(() => store.put('retellNumbers', phone_number, number))
    return number
  }
  app.post('/create-phone-number', async (c) => {
    const body = await readBody(c.req.raw, newNumber)
    checkBinding(body.inbound_agents)
    const phone_number = body.phone_number ?? freeNumber(account, 'retell', String(body.area_code ?? 415))
    return c.json(add({ ...body, phone_number }, 'retell-twilio'), 201)
  })
  app.post('/import-phone-number', async (c) => {
    const body = await readBody(c.req.raw, brought)
    checkBinding(body.inbound_agents)
    return c.json(add(body, 'custom'), 201)
  })
  app.patch('/update-phone-number/:number', async (c) => {
    const body = await readBody(c.req.raw, z.looseObject(numberFields))
    const found = numberOf(c.req.param('number'))
    checkBinding(body.inbound_agents)
    const after = { ...found, ...body, last_modification_timestamp: Date.now() }
    store.transact(() => store.put('retellNumbers', found.phone_number, after))
    return c.json(after)
  })
  app.delete('/delete-phone-number/:number', (c) => {
    const { phone_number } = numberOf(c.req.param('number'))
    store.transact(() => store.remove('retellNumbers', phone_number))
    return c.body(null, 204)
  })

  app.post('/v3/list-calls', async (c) => {
    const { filter_criteria, limit, pagination_key } = await readBody(c.req.raw, listRequest)
    const [from = 0, to = Infinity] = filter_criteria?.end_timestamp?.value ?? []
    const agents = filter_criteria?.agent?.map(({ agent_id }) => agent_id)
    const items = store
      .all('calls')
      .filter(({ provider }) => provider === 'retell')
      .filter(({ agent }) => !agents || agents.includes(agent))
      .filter(
        ({ endedAt }) => !filter_criteria?.end_timestamp || (endedAt && endedAt >= from && endedAt <= to),
      )
      .toReversed()
      .map((call) => {
        const item = retellCallOf(account, call, {
          analyzed: true,
          inWebhook: false,
        })
        return without(item, 'transcript', 'transcript_object')
      })
    return c.json(paged(items, { limit: String(limit ?? 50), pagination_key: pagination_key ?? '' }))
  })
  app.get('/v2/get-call/:id', (c) =>
    c.json(retellCallOf(account, callOf(c.req.param('id')), { analyzed: true, inWebhook: false })),
  )
  app.delete('/v2/delete-call/:id', (c) => {
    const { id } = callOf(c.req.param('id'))
    store.transact(() => store.remove('calls', id))
    return c.body(null, 204)
  })
  const register = (
    agentId: string,
    version: unknown,
    circumstances: Parameters<typeof newCall>[2],
  ): Call => {
    const found = versionOf(agentOf(agentId), version)
    if (!found) throw new Refusal(404, `Version not found: ${String(version)}`)
    const call = newCall('retell', agentId, {
      ...circumstances,
      id: `call_${newId().replaceAll('-', '')}`,
      version: found.version,
    })
    store.transact(() => store.put('calls', call.id, call))
    return call
  }
  for (const path of ['/v2/create-web-call', '/v3/create-web-call'])
    app.post(path, async (c) => {
      const body = await readBody(c.req.raw, newWebCall)
      const call = register(body.agent_id, body.agent_version, {
        type: 'web',
        direction: 'inbound',
        number: null,
        other: null,
        metadata: body.metadata ?? {},
        variables: body.retell_llm_dynamic_variables ?? {},
        firstWords: null,
      })
      const access_token = `token-local-${call.id}`
      return c.json(
        path.startsWith('/v2')
          ? { ...retellCallOf(account, call, { analyzed: false, inWebhook: false }), access_token }
          : {
              call_id: call.id,
              access_token,
              transport: 'gateway',
              ice_servers: [],
              expires_at: Date.now() + 300_000,
            },
        201,
      )
    })
  app.post('/v2/create-phone-call', async (c) => {
    const body = await readBody(c.req.raw, newPhoneCall)
    const from = numberOf(body.from_number)
    const agent = body.override_agent_id ?? (from.outbound_agents as { agent_id: string }[])?.[0]?.agent_id
    if (!agent) throw new Refusal(400, `No outbound agent is set for ${body.from_number}.`)
    const call = register(agent, 'latest', {
      type: 'phone',
      direction: 'outbound',
      number: body.from_number,
      other: body.to_number,
      metadata: body.metadata ?? {},
      variables: {},
      firstWords: null,
    })
    return c.json(retellCallOf(account, call, { analyzed: false, inWebhook: false }), 201)
  })
  app.get('/list-voices', (c) =>
    c.json([
      { voice_id: 'retell-Cimo', voice_name: 'Cimo', provider: 'retell', gender: 'male' },
      { voice_id: '11labs-Adrian', voice_name: 'Adrian', provider: 'elevenlabs', gender: 'male' },
    ]),
  )

  app.notFound((c) => c.json(retellError(`Cannot ${c.req.method} ${c.req.path}`), 404))
  app.onError((error, c) => {
    const { status, message } = refusalOf(error)
    return c.json(retellError(message), status as 400)
  })
  return app
}

export const retellError = (message: string): object => ({ status: 'error', message })

/** Returns one page of a list. The key of the next page is its first index. */
function paged(all: readonly unknown[], query: Record<string, string>): object {
  const limit = Number(query.limit ?? 50)
  if (!(limit >= 1 && limit <= 1000)) throw new Refusal(400, 'limit must be between 1 and 1000')
  const from = Number(query.pagination_key || 0)
  const next = from + limit
  return {
    items: all.slice(from, next),
    has_more: all.length > next,
    ...(all.length > next ? { pagination_key: String(next) } : {}),
  }
}
