import type http from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { dev, type AstroIntegration } from 'astro'
import { isFunctionPath, serveFunctions, startClock } from './functions.ts'
import { lockDirectory } from './lock.ts'
import { ensureAdmin, relaxLimits, startServices } from './services.ts'
import { freePort } from './free-port.ts'
import { readEnvironmentFile, readSettings, settingsOf } from './settings.ts'

/** `npm run dev`: Astro's dev server with hot reload, with the same services and functions as `npm start`. */
readEnvironmentFile()
const wanted = settingsOf(process.env)
process.env.PORT = String(await freePort(wanted))
const { port, host, origin, data, environment } = readSettings()
if (port !== wanted.port) console.log(`Port ${wanted.port} is in use, so this is port ${port}.`)
process.env.ASTRO_TELEMETRY_DISABLED = '1'
// There is nothing to publish: the dev server renders every page on request.
delete environment.BUILD_HOOK_URL
delete process.env.BUILD_HOOK_URL

const unlock = await lockDirectory(data)
const services = await startServices({ origin, data, given: environment })
if (services.supabase) {
  await ensureAdmin(services.supabase)
  await relaxLimits(services.supabase)
}
const handleService = getRequestListener(
  (request) => services.fetch(request) ?? new Response(null, { status: 404 }),
)

const embedded: AstroIntegration = {
  name: 'deskbell-services',
  hooks: {
    'astro:server:setup': async ({ server }) => {
      if (!server.httpServer) return
      const handleFunction = getRequestListener(
        serveFunctions((file) => server.ssrLoadModule(`/${file.replaceAll('\\', '/')}`)),
      )

      // Runs before Astro's own listener, which would refuse the frame of the card element: the frame is sandboxed and
      // therefore has no origin.
      const httpServer = server.httpServer as http.Server
      const [astro] = httpServer.listeners('request') as [http.RequestListener]
      httpServer.off('request', astro)
      httpServer.on('request', (request, response) => {
        const path = request.url ?? '/'
        if (/^\/(supabase|local)(?=[/?]|$)/.test(path)) return void handleService(request, response)
        if (isFunctionPath(path)) return void handleFunction(request, response)
        // The same rewrite as in netlify.toml: one page serves all tabs.
        const tab = /^\/(portal|admin)\/\w+\/?(?=\?|$)/.exec(path)
        if (tab) request.url = `/${tab[1]}/`
        astro(request, response)
      })
    },
  },
}

const server = await dev({
  root: process.cwd(),
  server: { port, host },
  vite: { server: { strictPort: true } },
  integrations: [embedded],
})
console.log(`Deskbell is ready at ${origin} (dashboard at /local)`)

const clock = startClock(origin)
const stop = async () => {
  clearInterval(clock)
  await server.stop()
  await services.close()
  unlock()
  process.exit(0)
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
