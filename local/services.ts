import { join } from 'node:path'
import { Hono } from 'hono'
import { openPart } from './damaged.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { matchingAnswer } from './ai/matching.ts'
import { answerBy } from './voice/agent-answers.ts'
import { openModelStandIn } from './ai/stand-in.ts'
import {
  local,
  mounts,
  usesEmbeddedSupabase,
  usesModelStandIn,
  usesStripeStandIn,
  usesVoiceStandIn,
} from './environment.ts'
import { openMailbox, type Mailbox } from './mail/mailbox.ts'
import { startStripeStandIn } from './stripe/stand-in.ts'
import type { StripeStandIn } from './stripe/start.ts'
import { startSupabase, type DatabaseHost, type Supabase } from './supabase/start.ts'
import { startVoiceProvider, type VoiceProvider } from './voice/provider.ts'
import { openVoiceStandIn } from './voice/stand-in.ts'

/** The embedded services, each under its path (see `mounts`). */
export interface Services {
  supabase: Supabase | undefined
  stripe: StripeStandIn | undefined
  /** The stand-in for the voice provider. */
  voiceProvider: VoiceProvider | undefined
  mailbox: Mailbox
  /** Handles requests to /supabase and /local; returns undefined for every other path. */
  fetch(request: Request): Response | Promise<Response> | undefined
  close(): Promise<void>
}

interface ServicesOptions {
  /** The origin under which this process is reached. */
  origin: string
  /** The data directory; everything is kept in memory if absent. */
  data?: string
  /** A snapshot of a database to start from, for tests. */
  snapshot?: Blob
  /** A database in place of the embedded one, for tests. */
  database?: DatabaseHost
  /** The environment. The stand-in of a service that it configures is not started. */
  given?: Record<string, string | undefined>
  /** Receives a line at the beginning of each step. */
  progress?: (step: string) => void
}

/**
 * Starts the embedded services.
 * @throws Error if the data cannot be opened or a migration fails
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { origin, data, given = {}, progress = () => {} } = options

  let supabase: Supabase | undefined
  if (usesEmbeddedSupabase(given)) {
    progress('Opening the database')
    supabase = await startSupabase({
      dataDir: data && join(data, 'database'),
      snapshot: options.snapshot,
      database: options.database,
      storageDir: join(data ?? join(import.meta.dirname, '../node_modules/.cache/deskbell-storage'), 'files'),
      migrationsDir: join(import.meta.dirname, '../supabase/migrations'),
      keys: { publishable: local.publishableKey, secret: local.secretKey, jwtSecret: local.jwtSecret },
      siteUrl: origin,
      log: progress,
    })
  }

  const stateFile = data && join(data, 'stripe.json')
  const stripe = usesStripeStandIn(given)
    ? await openPart(stateFile, () => startStripeStandIn(origin, stateFile))
    : undefined

  const mailFile = data && join(data, 'mail.json')
  const mailbox = await openPart(mailFile, () => openMailbox({ key: local.mailKey, file: mailFile }))

  const voiceFile = data && join(data, 'voice.json')
  const voiceProvider = usesVoiceStandIn(given)
    ? await openPart(voiceFile, () =>
        startVoiceProvider({
          publicUrl: origin + mounts.voice,
          keys: {
            api: local.vapiKey,
            secrets: { [local.vapiCredential]: local.vapiWebhookSecret },
          },
          answer: answerBy(matchingAnswer),
          activation: 0,
          stateFile: voiceFile,
        }),
      )
    : undefined

  const model = usesModelStandIn(given)
    ? openModelStandIn({ key: local.modelKey, match: matchingAnswer })
    : undefined

  const voice = openVoiceStandIn({
    url: `${origin}/.netlify/functions/call-report`,
    secret: given.VOICE_WEBHOOK_SECRET || local.voiceWebhookSecret,
  })

  const app = new Hono()
  if (supabase) mount(app, mounts.supabase, (request) => supabase.fetch(request))
  if (stripe) mount(app, mounts.stripe, (request) => stripe.fetch(request))
  if (voiceProvider) mount(app, mounts.voice, (request) => voiceProvider.fetch(request))
  if (model) mount(app, mounts.model, (request) => model.fetch(request))
  mount(app, mounts.mail, (request) => mailbox.fetch(request))
  app.route('/local', dashboard({ mailbox, stripe, supabase, voice, voiceProvider }))

  return {
    supabase,
    stripe,
    voiceProvider,
    mailbox,
    fetch(request) {
      const { pathname } = new URL(request.url)
      return /^\/(supabase|local)(\/|$)/.test(pathname) ? app.fetch(request) : undefined
    },
    async close() {
      await stripe?.close()
      await voiceProvider?.close()
      await supabase?.close()
    },
  }
}

/** Serves a handler under a path, which the handler does not see in the requests. */
function mount(app: Hono, path: string, handler: (request: Request) => Response | Promise<Response>): void {
  const serve = (request: Request) => {
    const url = new URL(request.url)
    url.pathname = url.pathname.slice(path.length) || '/'
    return handler(new Request(url, request))
  }
  app.all(path, (c) => serve(c.req.raw))
  app.all(`${path}/*`, (c) => serve(c.req.raw))
}

/** Raises the rate limits per IP address: all visitors and tests of this machine share one address. */
export async function relaxLimits(supabase: Supabase): Promise<void> {
  await supabase.query(`update private.settings set value = 100000 where name like '%\\_per\\_address'`)
}

/** Creates the one admin account unless it exists. */
export async function ensureAdmin(supabase: Supabase): Promise<void> {
  const [known] = await supabase.query('select id from auth.users where email = $1', [local.adminEmail])
  if (known) return
  const response = await supabase.fetch(
    new Request('http://localhost/auth/v1/admin/users', {
      method: 'POST',
      headers: {
        apikey: local.secretKey,
        authorization: `Bearer ${local.secretKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email: local.adminEmail, password: local.adminPassword, email_confirm: true }),
    }),
  )
  if (!response.ok) throw new Error(`The admin account could not be created: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  // Everybody knows this account's password, so a second factor would protect nothing.
  await supabase.query('select public.make_admin($1, false)', [id])
}
