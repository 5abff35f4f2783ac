import { Hono } from 'hono'
import type { Supabase } from '../supabase/start.ts'
import { writtenCallers } from '../voice/callers.ts'
import type { Outcome } from '../voice/calls.ts'
import type { VoiceProvider } from '../voice/provider.ts'
import type { Call, Delivery, PhoneNumber } from '../voice/state.ts'
import { callPage, outcomePage, type NumberRow } from './phone-page.ts'

/** What the stand-in for the voice provider has, as far as it is shown. */
interface VoiceState {
  numbers: PhoneNumber[]
  calls: Call[]
  deliveries: Delivery[]
}

/** How long it takes to say a turn, in seconds: a written call lasts as long as if it were spoken. */
const secondsPerTurn = 9

/** The ways to report a call (local/voice/controls.ts). */
const reports: Record<string, object> = {
  once: {},
  twice: { times: 2 },
  forged: { signing: 'forged' },
  old: { signing: 'stale' },
}
/** The faults of the provider's API. */
const faults: Record<string, object> = {
  refused: { status: 500 },
  lost: { timeout: true },
  dropped: { drop: true },
}

/** Rings the agents' numbers, for people: `/local/ring`, `/local/calls/<id>`. */
export function phone(voice: VoiceProvider, supabase: Supabase | undefined) {
  const app = new Hono()

  async function control<T>(name: string, body?: object): Promise<T> {
    const response = await voice.fetch(
      new Request(`http://localhost/test/${name}`, {
        method: body ? 'POST' : 'GET',
        body: body && JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    )
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as T
  }
  const state = () => control<VoiceState>('state')

  /** Returns the numbers that an agent answers, each with its customer's e-mail. */
  async function numbers(): Promise<NumberRow[]> {
    const { numbers: all } = await state()
    const owners = await supabase?.query<{ number: string; email: string }>(
      'select n.number, u.email from public.phone_numbers n join auth.users u on u.id = n.account',
    )
    return all
      .filter(({ server }) => server)
      .map(({ number }) => ({ number, email: owners?.find((owner) => owner.number === number)?.email ?? '' }))
  }

  app.post('/ring', async (c) => {
    const form = await c.req.formData()
    const number = String(form.get('number'))
    const written = writtenCallers[Number(form.get('caller') || -1)]
    const typed = String(form.get('from') ?? '').trim()
    const outcome = await control<Outcome>('ring', {
      number,
      caller: written ? written.number : typed || null,
    })
    if (!outcome.call) return c.html(outcomePage(number, outcome))
    if (written) {
      const { lines, findings } = written
      await control('play', { call: outcome.call, lines })
      const { turns = [] } = (await state()).calls.find(({ id }) => id === outcome.call) ?? {}
      await control('hang-up', { call: outcome.call, seconds: turns.length * secondsPerTurn, findings })
    }
    return c.redirect(`/local/calls/${outcome.call}`)
  })
  app.get('/calls/:id', async (c) => {
    const { calls, deliveries } = await state()
    const call = calls.find(({ id }) => id === c.req.param('id'))
    if (!call) return c.text('Not found', 404)
    return c.html(
      callPage(
        call,
        deliveries.filter((each) => each.call === call.id),
      ),
    )
  })
  app.post('/calls/:id/:action{say|hang-up|report}', async (c) => {
    const call = c.req.param('id')
    const form = await c.req.formData()
    const given = (name: string): string => String(form.get(name) ?? '')
    switch (c.req.param('action')) {
      case 'say':
        if (given('text').trim()) await control('say', { call, text: given('text').trim() })
        break
      case 'hang-up':
        await control('hang-up', { call, report: given('report') !== 'later' })
        break
      default:
        await control('report', { call, ...reports[given('how')] })
    }
    return c.redirect(`/local/calls/${call}`)
  })
  app.post('/voice-fault', async (c) => {
    const fault = faults[String((await c.req.formData()).get('fault'))]
    if (fault) await control('fail-next', fault)
    return c.redirect('/local')
  })
  app.onError((error, c) => c.text(error.message, 400))

  const latestCalls = async (): Promise<Call[]> =>
    (await state()).calls.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, 20)
  return { app, numbers, latestCalls }
}
