import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { local, mounts } from '../../local/environment.ts'
import { minutesOf } from '../support/plan-facts.ts'
import { firstPort } from '../support/ports.ts'

const port = firstPort
const origin = `http://localhost:${port}`
const data = mkdtempSync(join(tmpdir(), 'deskbell-start-'))
const running = new Set<ChildProcess>()

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})

interface Started {
  kill(): Promise<void>
  output: string
}

/** How long a start may take, with a build on a busy machine, and how long an answer, in milliseconds. */
const starting = 110_000
const answering = 30_000

/**
 * Runs the program of `npm start`, or of `npm run dev`, until it is ready or has ended.
 * @throws Error with its output, which says where it is, if its time is up
 */
function start(
  environment: Record<string, string> = {},
  program = 'local/start.ts',
): Promise<Started & { ready: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        PORT: String(port),
        DESKBELL_DATA: data,
        ...environment,
      },
    })
    running.add(child)
    let output = ''
    const gone = new Promise<void>((done) => child.once('exit', () => (running.delete(child), done())))
    const kill = async () => {
      child.kill('SIGKILL')
      await gone
    }
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Deskbell is ready at')) resolve({ ready: true, kill, output })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    const hangs = () => reject(new Error(`It is neither ready nor has it ended:\n${output}`))
    const timer = setTimeout(hangs, starting)
    child.once('close', () => (clearTimeout(timer), resolve({ ready: false, kill, output })))
  })
}

/** Copies what the first test leaves, which saves the first start of a database. */
function copyOfData(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-start-'))
  cpSync(data, folder, { recursive: true })
  return folder
}

const client = () =>
  createClient(origin + mounts.supabase, local.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })

async function buyGrowth(email: string, password: string): Promise<void> {
  const method = await fetch(`${origin}${mounts.stripe}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: `Bearer ${local.stripePublishableKey}` },
    body: new URLSearchParams({
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '12',
      'card[exp_year]': '2040',
      'card[cvc]': '123',
    }),
    signal: AbortSignal.timeout(answering),
  })
  const { id } = (await method.json()) as { id: string }
  const answer = await fetch(`${origin}/.netlify/functions/create-stripe-subscription`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, planId: 'growth', paymentMethodId: id }),
    signal: AbortSignal.timeout(answering),
  })
  expect(answer.status).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  const guest = client()
  expect((await guest.auth.verifyOtp({ token_hash: token, type: 'signup' })).error).toBeNull()
  expect((await guest.auth.updateUser({ password })).error).toBeNull()
}

test(
  '41. kill -9, then restart → nothing acknowledged is lost; 43. A second start on the same data → refused',
  { timeout: 240_000 },
  async () => {
    const account = { email: 'night-desk@hotel.example', password: 'front-desk-1' }
    const first = await start()
    expect(first.output).toContain('Deskbell is ready')
    await buyGrowth(account.email, account.password)

    const second = await start({ PORT: String(port + 1) })
    expect(second.ready).toBe(false)
    expect(second.output).toContain('in use by another Deskbell')

    const samePort = await start({ DESKBELL_DATA: join(data, 'other') })
    expect(samePort.ready).toBe(false)
    expect(samePort.output).toContain(`Port ${port} is in use`)

    await first.kill()
    const again = await start()
    expect(again.output).toContain('Deskbell is ready')
    expect(again.output, 'nothing changed, nothing is built').not.toContain('Building')

    const guest = client()
    expect((await guest.auth.signInWithPassword(account)).error).toBeNull()
    const { data: seen } = await guest
      .from('subscription_overview')
      .select('plan, status, minutes_used, minutes_limit')
      .single()
    const minutes_limit = minutesOf('growth')
    expect(seen).toEqual({ plan: 'growth', status: 'active', minutes_used: 0, minutes_limit })

    const admin = await client().auth.signInWithPassword({
      email: local.adminEmail,
      password: local.adminPassword,
    })
    expect(admin.error).toBeNull()
    const missing = await fetch(`${origin}/nowhere`)
    expect(missing.status).toBe(404)
    expect(await missing.text()).toContain('<h1')
    await again.kill()
  },
)

test.each([
  ['database', 'database/global/pg_control', 'database'],
  ['mails', 'mail.json', 'mail.json'],
  ['payments', 'stripe.json', 'stripe.json'],
])('damaged %s are named, with the remedy', { timeout: 120_000 }, async (_, file, named) => {
  const folder = copyOfData()
  writeFileSync(join(folder, file), '{ no such thing\n')
  const { ready, output } = await start({ PORT: String(port + 2), DESKBELL_DATA: folder })
  expect(ready).toBe(false)
  expect(output).toContain(`${join(folder, named)} is damaged`)
  expect(output).toContain(`Restore a copy of ${folder}, or delete that directory to start again.`)
  expect(output).not.toMatch(/Aborted|^\s+at /m)
  rmSync(folder, { recursive: true, force: true })
})

test('npm run dev takes the next port if its own is taken, and says so', { timeout: 120_000 }, async () => {
  const taken = createServer()
  await new Promise<void>((listening) => taken.listen(port + 3, '127.0.0.1', listening))
  const folder = copyOfData()
  const dev = await start({ PORT: String(port + 3), DESKBELL_DATA: folder }, 'local/dev.ts')
  expect(dev.output).toContain(`Port ${port + 3} is in use, so this is port ${port + 4}.`)
  expect(dev.output).toContain(`Deskbell is ready at http://localhost:${port + 4}`)
  const page = await fetch(`http://localhost:${port + 4}/pricing`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(`http://localhost:${port + 4}/pricing`)
  await dev.kill()
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

test('HOST names the address to listen on', { timeout: 120_000 }, async () => {
  const folder = copyOfData()
  // Another loopback address of this machine.
  const [host, url] = process.platform === 'linux' ? ['127.0.0.2', '127.0.0.2'] : ['::1', '[::1]']
  const reach = (address: string) =>
    fetch(`http://${address}:${port + 5}/robots.txt`).then(
      ({ status }) => status,
      () => 'nobody',
    )
  const site = await start({
    PORT: String(port + 5),
    // Of the build that is there.
    PUBLIC_SITE_URL: origin,
    HOST: host,
    DESKBELL_DATA: folder,
  })
  expect(site.ready, site.output).toBe(true)
  expect([await reach(url), await reach('127.0.0.1')]).toEqual([200, 'nobody'])
  await site.kill()
  rmSync(folder, { recursive: true, force: true })
})
