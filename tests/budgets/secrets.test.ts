import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { local } from '../../local/environment.ts'

async function distFiles(): Promise<{ name: string; text: string }[]> {
  const files: { name: string; text: string }[] = []
  for await (const entry of glob('dist/**/*', { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const name = join(entry.parentPath, entry.name)
    files.push({ name, text: readFileSync(name, 'utf8') })
  }
  return files
}

const secrets = {
  'the secret key of Supabase': local.secretKey,
  'the signing key of sessions': local.jwtSecret,
  'the secret key of Stripe': local.stripeSecretKey,
  "the webhook's secret": local.stripeWebhookSecret,
  'the secret of call reports': local.voiceWebhookSecret,
  "Vapi's key": local.vapiKey,
  'the secret of Vapi’s requests': local.vapiWebhookSecret,
  'the key of the mail API': local.mailKey,
  "the admin's address": local.adminEmail,
  "the admin's password": local.adminPassword,
}

/** Matches keys in the providers' formats. supabase-js contains the prefix alone, which does not match. */
const keyFormats = /\b(sb_secret_|sk_live_|sk_test_|rk_live_|whsec_)[A-Za-z0-9]{8,}/

test('what is deployed holds no secret', async () => {
  const files = await distFiles()
  expect(files.length).toBeGreaterThan(20)
  // The publishable keys are found, which proves that the bundles are searched.
  expect(files.some(({ text }) => text.includes(local.publishableKey))).toBe(true)
  expect(files.some(({ text }) => text.includes(local.stripePublishableKey))).toBe(true)
  const found = Object.entries(secrets).flatMap(([what, secret]) =>
    files.filter(({ text }) => text.includes(secret)).map(({ name }) => `${name} holds ${what}`),
  )
  expect(found).toEqual([])
  expect(files.filter(({ text }) => keyFormats.test(text)).map(({ name }) => name)).toEqual([])
  expect(keyFormats.test('sk_test_51Habcdefgh'), 'the search would find one').toBe(true)
})

test('what is deployed has nothing of local/', async () => {
  const marks = [
    'PGlite',
    'pglite',
    'Stripe stand-in',
    'local/stripe/start',
    '/local/mail',
    'cardnumber',
    'create role anon',
  ]
  const files = await distFiles()
  const found = files.flatMap(({ name, text }) =>
    marks.filter((mark) => text.includes(mark)).map((mark) => `${name} mentions ${mark}`),
  )
  expect(found).toEqual([])
})
