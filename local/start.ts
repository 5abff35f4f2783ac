import http from 'node:http'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { getRequestListener } from '@hono/node-server'
import { buildIfStale } from './build.ts'
import { startClock } from './functions.ts'
import { mounts } from './environment.ts'
import { lockDirectory } from './lock.ts'
import { openPublication } from './publication.ts'
import type { Services } from './services.ts'
import { readSettings } from './settings.ts'
import type { Site } from './site.ts'

// A process that ends while V8 compiles beside it may wait for that for ever: https://github.com/nodejs/node/issues/54918
setFlagsFromString('--no-concurrent-sparkplug')

/** `npm start`: builds what is out of date, and serves the site with all services on this machine. */
async function start(): Promise<void> {
  const { port, host, origin, data, environment } = readSettings()
  const begun = performance.now()
  const step = (text: string) =>
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(5)} s  ${text}`)

  // Filled as they start; requests may arrive before.
  const running: { services?: Services; site?: Site } = {}
  // A request on a connection that is being closed would get no answer: idle ones are left open.
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.url === mounts.buildHook && request.method === 'POST') {
      void publish()
      return void response.writeHead(200).end()
    }
    if (/^\/(supabase|local)(?=[/?]|$)/.test(request.url ?? '')) return void handleService(request, response)
    if (!running.site) return void response.writeHead(503, { 'retry-after': '1' }).end('Deskbell is starting')
    running.site.handle(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end('Something went wrong on our side.')
    })
  })
  const handleService = getRequestListener(
    (request) => running.services?.fetch(request) ?? new Response('Not found', { status: 404 }),
  )

  const publication = openPublication(join(data, 'site'), environment)
  let publishing: Promise<void> = Promise.resolve()
  /** Publishes; runs one build at a time, so that the last one contains every change. */
  const publish = (): Promise<void> =>
    (publishing = publishing.then(async () => {
      try {
        step('Building the site to publish')
        const before = running.site
        const { startSite } = await import('./site.ts')
        running.site = await startSite(await publication.publish())
        await before?.close()
        step('Published')
      } catch (error) {
        console.error(error instanceof Error ? error.message : error)
      }
    }))

  // Takes the port and the lock before it touches any data, and before it loads what takes a second.
  await listen(server, port, host)
  const unlock = await lockDirectory(data)

  const { ensureAdmin, relaxLimits, startServices } = await import('./services.ts')
  const services = await startServices({ origin, data, given: environment, progress: step })
  running.services = services
  const { supabase } = services
  if (supabase) {
    step(`The database is at migration ${supabase.appliedMigrations.at(-1) ?? 'none'}`)
    await ensureAdmin(supabase)
    await relaxLimits(supabase)
  }
  await buildIfStale(environment, () => step('Building the site'))
  step('Opening the site')
  const { startSite } = await import('./site.ts')
  running.site = await startSite(await publication.current(() => step('Building the published site')))

  const clock = startClock(origin)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    clearInterval(clock)
    server.closeAllConnections()
    server.close()
    await running.site?.close()
    await services.close()
    unlock()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())

  step(`See mails, payments and events at ${origin}/local`)
  console.log(`Deskbell is ready at ${origin}`)
}

/** @throws Error if the port is in use */
function listen(server: http.Server, port: number, host: string): Promise<void> {
  return new Promise((done, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop what uses it, or set PORT to another one.`)
          : error,
      ),
    )
    server.listen(port, host, done)
  })
}

start().catch((error: unknown) => {
  console.error(`\nDeskbell could not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
