import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import type { Mailbox } from '../mail/mailbox.ts'
import type { StripeStandIn } from '../stripe/start.ts'
import type { Supabase } from '../supabase/start.ts'
import type { VoiceProvider } from '../voice/provider.ts'
import type { VoiceStandIn } from '../voice/stand-in.ts'
import { listAccounts } from './accounts.ts'
import { page } from './page.ts'
import { phone } from './phone.ts'

const styles = readFileSync(join(import.meta.dirname, '../page.css'), 'utf8')

/** Serves `/local`: shows people the data of the embedded services. Programs use the services' own APIs. */
export function dashboard(services: {
  mailbox: Mailbox
  stripe: StripeStandIn | undefined
  supabase: Supabase | undefined
  voice: VoiceStandIn
  voiceProvider: VoiceProvider | undefined
}): Hono {
  const { mailbox, stripe, supabase, voice, voiceProvider } = services
  const calling = voiceProvider && phone(voiceProvider, supabase)
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'",
    )
    c.header('cache-control', 'no-store')
  })

  app.get('/page.css', (c) => c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get('/', async (c) => {
    const accounts = supabase && (await listAccounts(supabase))
    return c.html(
      page({
        mails: mailbox.list(),
        stripe: stripe?.summary(),
        accounts,
        reports: voice.sent(),
        phone: calling && { numbers: await calling.numbers(), calls: await calling.latestCalls() },
      }),
    )
  })
  if (calling) app.route('/', calling.app)

  app.post('/report-call', async (c) => {
    await voice.reportCall(String((await c.req.formData()).get('account')))
    return c.redirect('/local')
  })
  app.post('/report-again', async (c) => {
    await voice.sendAgain(String((await c.req.formData()).get('call')))
    return c.redirect('/local')
  })

  if (stripe) {
    const control = (name: string, body: unknown) =>
      stripe.fetch(
        new Request(`http://localhost/test/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    app.post('/clock', async (c) => {
      const days = Number((await c.req.formData()).get('days'))
      if (Number.isInteger(days) && days > 0 && days <= 366)
        await control('clock', { advanceSeconds: days * 86_400 })
      return c.redirect('/local')
    })
    app.post('/fail-renewal', async (c) => {
      await control('fail-renewal', { subscription: String((await c.req.formData()).get('subscription')) })
      return c.redirect('/local')
    })
    for (const name of ['dispute', 'win-dispute', 'lose-dispute']) {
      app.post(`/${name}`, async (c) => {
        await control(name, { payment_intent: String((await c.req.formData()).get('payment')) })
        return c.redirect('/local')
      })
    }
  }
  return app
}
