import { existsSync } from 'node:fs'
import type http from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { dev, type AstroIntegration } from 'astro'
import { localEnvironment } from './environment.ts'
import { isFunctionPath, serveFunctions } from './functions.ts'
import { lockDirectory } from './lock.ts'
import { ensureAdmin, relaxLimits, startServices } from './services.ts'

/** `npm run dev`: Astro's dev server with hot reload, over the same services and functions as `npm start`. */
if (existsSync('.env')) process.loadEnvFile('.env')
const port = Number(process.env.PORT || 4321)
const data = resolve(process.env.DESKBELL_DATA || '.local')
const environment = localEnvironment({ port, given: process.env })
Object.assign(process.env, environment, { ASTRO_TELEMETRY_DISABLED: '1' })

const unlock = await lockDirectory(data)
const services = await startServices({ origin: `http://localhost:${port}`, data, given: environment })
if (services.supabase) {
  await ensureAdmin(services.supabase)
  await relaxLimits(services.supabase)
}
const answer = getRequestListener((request) => services.fetch(request) ?? new Response(null, { status: 404 }))

const embedded: AstroIntegration = {
  name: 'deskbell-services',
  hooks: {
    'astro:server:setup': async ({ server }) => {
      if (!server.httpServer) return
      const callFunction = getRequestListener(
        serveFunctions((file) => server.ssrLoadModule(`/${file.replaceAll('\\', '/')}`)),
      )

      // Ahead of Astro's own listener, whose guard would refuse the card element's frame: that is sandboxed, and so
      // without an origin.
      const httpServer = server.httpServer as http.Server
      const [astro] = httpServer.listeners('request') as [http.RequestListener]
      httpServer.off('request', astro)
      httpServer.on('request', (request, response) => {
        const path = request.url ?? '/'
        if (/^\/(supabase|local)(?=[/?]|$)/.test(path)) return void answer(request, response)
        if (isFunctionPath(path)) return void callFunction(request, response)
        // As netlify.toml rewrites it: one page serves all tabs.
        const tab = /^\/(portal|admin)\/\w+\/?(?=\?|$)/.exec(path)
        if (tab) request.url = `/${tab[1]}/`
        astro(request, response)
      })
    },
  },
}

const server = await dev({
  root: process.cwd(),
  server: { port, host: 'localhost' },
  integrations: [embedded],
})
console.log(`Deskbell is ready at http://localhost:${port} (dashboard at /local)`)

const stop = async () => {
  await server.stop()
  await services.close()
  unlock()
  process.exit(0)
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
