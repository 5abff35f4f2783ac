import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Fault, Faults } from '../stripe/faults.ts'
import { newId, type Account } from './account.ts'
import type { Answer } from './agent-answers.ts'
import { hangUp, join, ring, say } from './calls.ts'
import type { Deliveries } from './deliveries.ts'
import { Refusal } from './errors.ts'
import { callTools } from './tool-calls.ts'

/** A fault of the stand-in for the voice provider; `path` begins with the provider, `/vapi/assistant`. */
export interface VoiceFault extends Fault {
  /** Break the connection, and do nothing. */
  drop?: boolean
  /** Handle the request, but lose the response. */
  timeout?: boolean
}

/** A request to the API. */
export interface LoggedRequest {
  method: string
  path: string
  status: number
}

interface Controls {
  account: Account
  faults: Faults<VoiceFault>
  deliveries: Deliveries
  requests: LoggedRequest[]
  answer: Answer
}

const text = z.string()
const count = z.int().check(z.minimum(1))
const call = text
const schemas = {
  failNext: z.object({
    path: z.optional(text),
    status: z.optional(z.int().check(z.minimum(400), z.maximum(599))),
    timeout: z.optional(z.boolean()),
    drop: z.optional(z.boolean()),
    delaySeconds: z.optional(z.number().check(z.positive(), z.maximum(60))),
    times: z._default(count, 1),
  }),
  ring: z.object({
    number: text,
    caller: z._default(z.nullable(text), null),
    patience: z.optional(count),
  }),
  call: z.object({ call }),
  say: z.object({ call, text }),
  play: z.object({ call, lines: z.array(text) }),
  hangUp: z.object({
    call,
    seconds: z.optional(z.number().check(z.minimum(0))),
    silent: z.optional(z.boolean()),
    by: z.optional(z.enum(['caller', 'agent', 'forwarded'])),
    findings: z.optional(
      z.object({
        about: z.optional(text),
        outcome: z.optional(text),
        promised: z.optional(z.enum(['booked', 'moved', 'cancelled', 'nothing'])),
        sentiment: z.optional(z.enum(['positive', 'neutral', 'negative'])),
        succeeded: z.optional(z.boolean()),
      }),
    ),
    report: z._default(z.boolean(), true),
  }),
  report: z.object({
    call,
    times: z._default(count, 1),
    signing: z._default(z.enum(['valid', 'forged', 'stale', 'none']), 'valid'),
  }),
  tools: z.object({
    call,
    calls: z.array(z.object({ name: text, given: z._default(z.unknown(), {}) })),
    times: z._default(count, 1),
    signing: z.optional(z.enum(['valid', 'forged', 'stale', 'none'])),
  }),
  number: z.object({ number: text }),
  credential: z.object({ id: text, secret: text }),
  requests: z.object({ reset: z.optional(z.boolean()) }),
  none: z.object({}),
}

/**
 * Returns the controls for tests and for people: `POST /test/<control>` with a JSON body; the response is JSON.
 *
 * | Control | Body | What it does |
 * |---|---|---|
 * | `fail-next` | `{ path?, status, times? }` | responds with that status to the next requests whose path begins with `path` (`POST /vapi/…` names the method too), and does nothing |
 * | `fail-next` | `{ path?, timeout: true, times? }` | handles the next request, and loses the response |
 * | `fail-next` | `{ path?, drop: true, times? }` | breaks the connection, and does nothing |
 * | `fail-next` | `{ path?, delaySeconds, times? }` | delays the next request |
 * | `ring` | `{ number, caller?, patience? }` | rings a number; returns what the caller gets; `patience` is how long we are waited for, in milliseconds |
 * | `join` | `{ call }` | begins a call from the browser, or an outbound one |
 * | `say` | `{ call, text }` | says a line as the caller; returns `{ reply }` |
 * | `play` | `{ call, lines }` | says several lines; returns `{ replies }` |
 * | `tools` | `{ call, calls: [{ name, given? }], times?, signing? }` | calls tools of ours as the agent's model does, or late, once the call has ended; returns `{ status, results }` |
 * | `hang-up` | `{ call, seconds?, silent?, by?, findings?, report? }` | ends a call after `seconds`, or earlier if a limit of its assistant has ended it, and reports it unless `report` is false; returns `{ responses }` |
 * | `report` | `{ call, times?, signing? }` | reports a call once more; `signing` is `forged`, `stale` or `none` |
 * | `replay` | `{ call }` | sends the call's latest request again, in the same bytes |
 * | `retry` | `{}` | sends again now what is pending |
 * | `number` | `{ number }` | adds a number that a customer brought |
 * | `credential` | `{ id, secret }` | adds a webhook credential |
 * | `requests` | GET, or `{ reset: true }` | returns the requests to the API |
 * | `state` | GET | returns all that the provider has |
 * | `reset` | `{}` | removes pending faults |
 */
export function controls(tools: Controls): Hono {
  const { account, faults, deliveries, requests, answer } = tools
  const { store } = account
  const app = new Hono()
  const control = <T>(
    name: string,
    schema: z.ZodMiniType<T>,
    run: (body: T) => object | Promise<object>,
  ): void => {
    app.post(`/test/${name}`, async (c) => {
      // A form of another site cannot send this type, so no page can change a developer's account.
      if (!c.req.header('content-type')?.includes('application/json'))
        return c.json({ error: 'Send application/json' }, 415)
      const body = z.safeParse(schema, await c.req.json().catch(() => undefined))
      if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400)
      return c.json(await run(body.data))
    })
  }

  control('fail-next', schemas.failNext, (fault) => {
    faults.add(fault)
    return {}
  })
  control('ring', schemas.ring, (request) => ring(account, request))
  control('join', schemas.call, ({ call: id }) => ({ call: join(account, id).id }))
  control('say', schemas.say, async ({ call: id, text: line }) => ({
    reply: await say(account, id, line, answer),
  }))
  control('play', schemas.play, async ({ call: id, lines }) => {
    const replies: string[] = []
    for (const line of lines) replies.push(await say(account, id, line, answer))
    return { replies }
  })
  control('tools', schemas.tools, ({ call: id, calls, ...options }) => {
    const found = store.get('calls', id)
    if (!found) throw new Refusal(404, `No call has the id ${id}.`)
    return callTools(account, found, calls, options)
  })
  control('hang-up', schemas.hangUp, async ({ call: id, report, ...ending }) => {
    const ended = hangUp(account, id, ending)
    return { responses: report ? await deliveries.report(ended) : [] }
  })
  const ended = (id: string) => {
    const found = store.get('calls', id)
    if (!found || found.endedAt === null) throw new Refusal(404, `No call with the id ${id} has ended.`)
    return found
  }
  control('report', schemas.report, async ({ call: id, ...options }) => ({
    responses: await deliveries.report(ended(id), options),
  }))
  control('replay', schemas.call, async ({ call: id }) => ({
    response: await deliveries.replay(ended(id).id),
  }))
  control('retry', schemas.none, async () => {
    await deliveries.retry()
    return {}
  })
  control('number', schemas.number, ({ number }) => {
    addBroughtNumber(account, number)
    return {}
  })
  control('credential', schemas.credential, ({ id, secret }) => {
    account.keys.secrets[id] = secret
    return {}
  })
  app.get('/test/requests', (c) => c.json({ requests }))
  control('requests', schemas.requests, ({ reset }) => {
    if (reset) requests.length = 0
    return { requests }
  })
  app.get('/test/state', (c) =>
    c.json(
      Object.fromEntries(
        (['assistants', 'numbers', 'calls', 'deliveries'] as const).map((table) => [table, store.all(table)]),
      ),
    ),
  )
  control('reset', schemas.none, () => {
    faults.clear()
    return {}
  })
  app.onError((error, c) =>
    c.json({ error: error.message }, error instanceof Refusal ? (error.status as 400) : 500),
  )
  return app
}

/** Adds a number that its owner has brought. */
export function addBroughtNumber({ store }: Account, number: string): void {
  const at = new Date().toISOString()
  const id = newId()
  store.transact(() => {
    store.put('numbers', id, {
      id,
      orgId: 'org-local-0000-0000-000000000000',
      createdAt: at,
      updatedAt: at,
      provider: 'twilio',
      status: 'active',
      number,
    })
  })
}
