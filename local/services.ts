import { join } from 'node:path'
import { Hono } from 'hono'
import { openPart } from './damaged.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { local, mounts, usesEmbeddedSupabase, usesStripeStandIn } from './environment.ts'
import { openMailbox, type Mailbox } from './mail/mailbox.ts'
import { startStripeStandIn } from './stripe/stand-in.ts'
import type { StripeStandIn } from './stripe/start.ts'
import { startSupabase, type DatabaseHost, type Supabase } from './supabase/start.ts'
import { openVoiceStandIn } from './voice/stand-in.ts'

/** The embedded services, composed under the paths of the fixed local interface. */
export interface Services {
  supabase: Supabase | undefined
  stripe: StripeStandIn | undefined
  mailbox: Mailbox
  /** Answers /supabase and /local; undefined for every other path. */
  fetch(request: Request): Response | Promise<Response> | undefined
  close(): Promise<void>
}

interface ServicesOptions {
  /** The address under which this process is reached, with no slash at its end. */
  origin: string
  /** Where everything is kept; in memory where absent. */
  data?: string
  /** Snapshot of a database to start from, for tests. */
  snapshot?: Blob
  /** A database in place of the embedded one, for tests. */
  database?: DatabaseHost
  /** See SupabaseOptions. */
  passwordCost?: number
  /** What the environment says; services that it brings itself are not started. */
  given?: Record<string, string | undefined>
  /** Told once a step begins. */
  progress?: (step: string) => void
}

/** @throws Error when the data cannot be opened or a migration fails */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { origin, data, given = {}, progress = () => {} } = options

  let supabase: Supabase | undefined
  if (usesEmbeddedSupabase(given)) {
    progress('Opening the database')
    supabase = await startSupabase({
      ...(data ? { dataDir: join(data, 'database') } : {}),
      ...(options.snapshot ? { snapshot: options.snapshot } : {}),
      ...(options.database ? { database: options.database } : {}),
      ...(options.passwordCost ? { passwordCost: options.passwordCost } : {}),
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
  const mailbox = await openPart(mailFile, () =>
    openMailbox({ key: local.mailKey, ...(mailFile ? { file: mailFile } : {}) }),
  )

  const voice = openVoiceStandIn({
    url: `${origin}/.netlify/functions/call-report`,
    secret: given.VOICE_WEBHOOK_SECRET || local.voiceWebhookSecret,
  })

  const app = new Hono()
  if (supabase) mount(app, mounts.supabase, (request) => supabase.fetch(request))
  if (stripe) mount(app, mounts.stripe, (request) => stripe.fetch(request))
  mount(app, mounts.mail, (request) => mailbox.fetch(request))
  app.route('/local', dashboard({ mailbox, stripe, supabase, voice }))

  return {
    supabase,
    stripe,
    mailbox,
    fetch(request) {
      const { pathname } = new URL(request.url)
      return /^\/(supabase|local)(\/|$)/.test(pathname) ? app.fetch(request) : undefined
    },
    async close() {
      await stripe?.close()
      await supabase?.close()
    },
  }
}

/** Serves a handler that knows nothing of where it stands under a path of ours. */
function mount(app: Hono, path: string, handler: (request: Request) => Response | Promise<Response>): void {
  const serve = (request: Request) => {
    const url = new URL(request.url)
    url.pathname = url.pathname.slice(path.length) || '/'
    return handler(new Request(url, request))
  }
  app.all(path, (c) => serve(c.req.raw))
  app.all(`${path}/*`, (c) => serve(c.req.raw))
}

/** All visitors of this machine, and all its tests, come from one address: its limits would be theirs together. */
export async function relaxLimits(supabase: Supabase): Promise<void> {
  await supabase.query(`update private.settings set value = 100000 where name like '%\\_per\\_address'`)
}

/** Makes the one admin account of a fresh installation; does nothing where it is there already. */
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
  if (!response.ok) throw new Error(`The admin account could not be made: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  await supabase.query('insert into private.admins (user_id) values ($1) on conflict do nothing', [id])
}
