import { Hono } from 'hono'
import { freeNumber, newCall, newId, recordingUrl, omitFields, type Account } from './account.ts'
import { Refusal, refusalOf } from './errors.ts'
import { vapiCallOf } from './reports.ts'
import type { Assistant, Call, Fields, PhoneNumber } from './state.ts'
import { readVapi } from './vapi-requests.ts'

/** The most numbers of its own that Vapi gives an account. */
const mostOwnNumbers = 5
const orgId = 'org-local-0000-0000-000000000000'
const area = '415'

/** Serves Vapi's API (https://docs.vapi.ai/api-reference) under the mount's `/vapi`. */
export function vapiApi(account: Account): Hono {
  const { store } = account
  const app = new Hono()
  const stamp = () => new Date().toISOString()

  const assistantOf = (id: string): Assistant => {
    const found = store.get('assistants', id)
    if (!found) throw new Refusal(404, `Couldn't Find Assistant ${id}.`)
    return found
  }
  const numberOf = (id: string): PhoneNumber => {
    const found = store.get('numbers', id)
    if (!found) throw new Refusal(404, `Couldn't Find Phone Number ${id}.`)
    return found
  }
  const callOf = (id: string): Call => {
    const found = store.get('calls', id)
    if (!found) throw new Refusal(404, `Couldn't Find Call ${id}.`)
    return found
  }
  const shown = (number: PhoneNumber): Fields =>
    number.status === 'active' ? number : omitFields(number, 'number')
  /** Marks numbers as active after their time. */
  const activate = (): void => {
    for (const number of store.all('numbers'))
      if (number.status === 'activating' && Date.parse(number.createdAt) + account.activation <= Date.now())
        store.put('numbers', number.id, { ...number, status: 'active' })
  }

  app.get('/assistant', (c) => c.json(listed(store.all('assistants'), c.req.query())))
  app.get('/assistant/:id', (c) => c.json(assistantOf(c.req.param('id'))))
  app.post('/assistant', async (c) => {
    const body = await readVapi(c.req.raw, 'CreateAssistantDTO')
    const at = stamp()
    const made: Assistant = { ...body, id: newId(), orgId, createdAt: at, updatedAt: at }
    store.transact(() => store.put('assistants', made.id, made))
    return c.json(made, 201)
  })
  app.patch('/assistant/:id', async (c) => {
    const body = await readVapi(c.req.raw, 'CreateAssistantDTO')
    const changed = merged(assistantOf(c.req.param('id')), body, stamp())
    store.transact(() => store.put('assistants', changed.id, changed))
    return c.json(changed)
  })
  app.delete('/assistant/:id', (c) => {
    const found = assistantOf(c.req.param('id'))
    const pinned = store.all('numbers').find(({ assistantId }) => assistantId === found.id)
    if (pinned) throw new Refusal(409, `Assistant ${found.id} is used by the phone number ${pinned.id}.`)
    store.transact(() => store.remove('assistants', found.id))
    return c.json(found)
  })

  app.get('/phone-number', (c) => {
    store.transact(activate)
    return c.json(listed(store.all('numbers'), c.req.query()).map(shown))
  })
  app.get('/phone-number/:id', (c) => {
    store.transact(activate)
    return c.json(shown(numberOf(c.req.param('id'))))
  })
  app.post('/phone-number', async (c) => {
    const body = await readVapi(c.req.raw, 'CreateVapiPhoneNumberDTO')
    const own = store.all('numbers').filter(({ provider }) => provider === 'vapi').length
    if (own >= mostOwnNumbers)
      throw new Refusal(400, `You can have at most ${mostOwnNumbers} free phone numbers.`)
    const number = freeNumber(account, String(body.numberDesiredAreaCode ?? area))
    const at = stamp()
    const made = {
      ...withoutNulls(body),
      id: newId(),
      orgId,
      createdAt: at,
      updatedAt: at,
      provider: 'vapi',
      number,
      status: 'activating',
    } satisfies PhoneNumber
    store.transact(() => store.put('numbers', made.id, made))
    return c.json(shown(made), 201)
  })
  app.patch('/phone-number/:id', async (c) => {
    const body = await readVapi(c.req.raw, 'UpdateVapiPhoneNumberDTO', 'provider')
    const found = numberOf(c.req.param('id'))
    if (body.provider !== found.provider)
      throw new Refusal(400, `provider must be ${found.provider}, as it is for this number`)
    if (body.assistantId) assistantOf(String(body.assistantId))
    const changed = merged(found, body, stamp())
    store.transact(() => store.put('numbers', changed.id, changed))
    return c.json(shown(changed))
  })
  app.delete('/phone-number/:id', (c) => {
    const found = numberOf(c.req.param('id'))
    store.transact(() => store.remove('numbers', found.id))
    return c.json(shown(found))
  })

  app.get('/call', (c) => {
    const calls = store.all('calls').map((call) => vapiCallOf(account, call))
    const { assistantId } = c.req.query()
    return c.json(
      listed(
        calls.filter((call) => !assistantId || call.assistantId === assistantId),
        c.req.query(),
      ),
    )
  })
  app.get('/call/:id', (c) => c.json(vapiCallOf(account, callOf(c.req.param('id')))))
  app.get('/call/:id/mono-recording', (c) => {
    const call = callOf(c.req.param('id'))
    if (!call.recorded) throw new Refusal(404, `Call ${call.id} has no recording.`)
    return c.redirect(recordingUrl(account, call, 60_000), 302)
  })
  app.delete('/call/:id', async (c) => {
    const call = callOf(c.req.param('id'))
    // Vapi does not say what it does then.
    if (call.endedAt === null) throw new Refusal(400, `Call ${call.id} has not ended.`)
    store.transact(() => store.remove('calls', call.id))
    return c.json(vapiCallOf(account, call))
  })
  app.post('/call', async (c) => {
    const body = await readVapi(c.req.raw, 'CreateCallDTO')
    if (!body.assistantId) throw new Refusal(400, 'Need Either assistant Or assistantId.')
    const agent = assistantOf(String(body.assistantId))
    const overrides = (body.assistantOverrides ?? {}) as {
      metadata?: Fields
      variableValues?: Call['variables']
      firstMessage?: string
      maxDurationSeconds?: number
    }
    const call = newCall(agent.id, {
      type: 'web',
      direction: 'inbound',
      number: null,
      other: null,
      metadata: overrides.metadata ?? {},
      variables: overrides.variableValues ?? {},
      firstWords: overrides.firstMessage ?? null,
      longest: overrides.maxDurationSeconds,
    })
    store.transact(() => store.put('calls', call.id, call))
    return c.json(vapiCallOf(account, call), 201)
  })

  app.notFound((c) => c.json(vapiError(404, `Cannot ${c.req.method} ${c.req.path}`), 404))
  app.onError((error, c) => {
    const { status, messages } = refusalOf(error)
    return c.json(vapiError(status, messages.length === 1 ? messages[0] : messages), status as 400)
  })
  return app
}

const names: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
}
/** @param message several if several fields are wrong */
export const vapiError = (status: number, message: unknown): object => ({
  message,
  error: names[status] ?? 'Internal Server Error',
  statusCode: status,
})

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Replaces whole fields, also nested ones; null takes a field away. */
const merged = <Kind extends Fields>(known: Kind, changes: Fields, updatedAt: string): Kind =>
  withoutNulls({ ...known, ...changes, updatedAt }) as Kind

/** Sorts a list, newest first, and applies its parameters. */
function listed<Kind extends { createdAt: string }>(
  all: readonly Kind[],
  { limit = '100', createdAtGt, createdAtLe, createdAtLt }: Record<string, string>,
): Kind[] {
  const most = Number(limit)
  if (!(most >= 0 && most <= 1000)) throw new Refusal(400, 'limit must not be greater than 1000')
  return all
    .filter(({ createdAt }) => !createdAtGt || createdAt > createdAtGt)
    .filter(({ createdAt }) => !createdAtLe || createdAt <= createdAtLe)
    .filter(({ createdAt }) => !createdAtLt || createdAt < createdAtLt)
    .toReversed()
    .slice(0, most)
}
