import { existsSync } from 'node:fs'
import http from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { buildIfStale } from './build.ts'
import { localEnvironment } from './environment.ts'
import { lockDirectory } from './lock.ts'
import { ensureAdmin, relaxLimits, startServices, type Services } from './services.ts'
import { startSite, type Site } from './site.ts'

/** `npm start`: all of Deskbell on this machine, from an empty directory to the address. */
async function start(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given = { ...process.env }
  const port = portOf(given.PORT)
  const data = resolve(given.DESKBELL_DATA || '.local')
  const environment = localEnvironment({ port, given: environmentOf(given) })
  Object.assign(process.env, environment)

  const begun = performance.now()
  const step = (text: string) =>
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(5)} s  ${text}`)

  // Filled as they start; requests may come before.
  const running: { services?: Services; site?: Site } = {}
  const server = http.createServer((request, response) => {
    if (/^\/(supabase|local)(?=[/?]|$)/.test(request.url ?? '')) return void answerServices(request, response)
    if (!running.site) return void response.writeHead(503, { 'retry-after': '1' }).end('Deskbell is starting')
    running.site.handle(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end('Something went wrong on our side.')
    })
  })
  const answerServices = getRequestListener(
    (request) => running.services?.fetch(request) ?? new Response('Not found', { status: 404 }),
  )

  // The port and the data are claimed before anything is touched.
  await listen(server, port)
  const unlock = await lockDirectory(data)

  const services = await startServices({
    origin: `http://localhost:${port}`,
    data,
    given: environment,
    progress: step,
  })
  running.services = services
  const { supabase } = services
  if (supabase) {
    step(`The database is at migration ${supabase.appliedMigrations.at(-1) ?? 'none'}`)
    await ensureAdmin(supabase)
    await relaxLimits(supabase)
  }
  await buildIfStale(environment, () => step('Building the site'))
  step('Opening the site')
  const site = await startSite()
  running.site = site

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    server.closeAllConnections()
    server.close()
    await site.close()
    await services.close()
    unlock()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())

  step(`Mails, payments and events are shown at http://localhost:${port}/local`)
  console.log(`Deskbell is ready at http://localhost:${port}`)
}

/** @throws Error when the port is taken */
function listen(server: http.Server, port: number): Promise<void> {
  return new Promise((done, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop what uses it, or set PORT to another one.`)
          : error,
      ),
    )
    server.listen(port, '127.0.0.1', done)
  })
}

function portOf(value: string | undefined): number {
  const port = Number(value || 4321)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is no port: ${value}`)
  return port
}

/** Our own variables among everything the shell carries. */
function environmentOf(all: Record<string, string | undefined>): Record<string, string | undefined> {
  const ours = /^(PUBLIC_|SUPABASE_|STRIPE_|MAIL_|VOICE_|BUILD_HOOK_URL$)/
  return Object.fromEntries(Object.entries(all).filter(([name]) => ours.test(name)))
}

start().catch((error: unknown) => {
  console.error(`\nDeskbell could not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
