import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireObject, type Account } from './account.ts'
import { finishAuthentication } from './billing/payment.ts'
import { StripeFailure } from './errors.ts'
import { requireSecret } from './keys.ts'

/** The scripts for browsers and their sources; a source comes after its imports. */
const scripts: Record<string, readonly string[]> = {
  'stripe.js': ['api-request', 'authentication-dialog', 'card-element', 'stripe'],
  'card.js': ['api-request', 'card-format', 'card-style', 'card-frame'],
  'authentication.js': ['authentication-frame'],
}
const styles = { 'card.css': 'card.css', 'page.css': '../../page.css' }
const frames = ['card.html', 'authentication.html']

const directory = join(import.meta.dirname, 'browser')
const built = new Map<string, Promise<string>>()

const decision = z.object({ payment_intent: z.string(), client_secret: z.string(), passed: z.boolean() })

/** Serves Stripe.js, the frames that it opens, and the bank's decision on 3-D Secure. */
export function browserFiles({ account, publicUrl }: { account: Account; publicUrl: string }): Hono {
  const app = new Hono()
  const { origin } = new URL(publicUrl)

  app.get('/stripe.js', async (c) => c.body(await script('stripe.js'), 200, headersOf('text/javascript')))
  for (const name of Object.keys(scripts)) {
    app.get(`/elements/${name}`, async (c) => c.body(await script(name), 200, headersOf('text/javascript')))
  }
  for (const [name, path] of Object.entries(styles)) {
    app.get(`/elements/${name}`, async (c) => c.body(await text(path), 200, headersOf('text/css')))
  }
  for (const name of frames) {
    app.get(`/elements/${name}`, async (c) =>
      c.body(await text(name), 200, {
        ...headersOf('text/html'),
        // The frames are sandboxed; in them 'self' may not match the origin they came from.
        'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; style-src 'self' ${origin}; connect-src 'self' ${origin}; form-action 'none'; base-uri 'none'; frame-ancestors 'self' ${origin}`,
      }),
    )
  }

  app.options('/elements/authentication', (c) =>
    c.body(null, 204, { ...corsHeaders, 'access-control-allow-headers': 'content-type' }),
  )
  app.post('/elements/authentication', async (c) => {
    const body = decision.safeParse(await c.req.json().catch(() => undefined))
    if (!body.success) return c.json({ error: 'Malformed' }, 400, corsHeaders)
    const { payment_intent: id, client_secret: secret, passed } = body.data
    try {
      requireSecret(account, id, secret)
      const intent = requireObject(account, 'paymentIntents', id)
      if (intent.status === 'requires_action') {
        account.store.transact(() => finishAuthentication(account, intent, passed))
      }
      return c.json({}, 200, corsHeaders)
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error
      return c.json({ error: error.message }, 400, corsHeaders)
    }
  })
  return app
}

const corsHeaders = { 'access-control-allow-origin': '*' }

const headersOf = (type: string): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
})

const text = (name: string): Promise<string> => readFile(join(directory, name), 'utf8')

function script(name: string): Promise<string> {
  let code = built.get(name)
  if (!code) built.set(name, (code = build(scripts[name] ?? [])))
  return code
}

/** Combines sources into one classic script: in one function, without types, imports and exports. */
async function build(sources: readonly string[]): Promise<string> {
  const { default: ts } = await import('typescript')
  const parts = await Promise.all(
    sources.map(async (source) => {
      const { outputText } = ts.transpileModule(await text(`${source}.ts`), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.ESNext,
          verbatimModuleSyntax: true,
        },
      })
      return outputText.replaceAll(/^import [^;]*;$/gm, '').replaceAll(/^export (\{\};)?/gm, '')
    }),
  )
  return `(() => {\n'use strict';\n${parts.join('\n')}})();\n`
}
