import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { modelOf, type Model } from '#assistant/server/model.ts'
import type { ServerEnv } from '#platform/server/env.ts'
import { openModelStandIn } from '../../local/ai/stand-in.ts'

const key = 'score'

/** Serves the stand-in for a model alone. */
export async function serveModel(match: Parameters<typeof openModelStandIn>[0]['match']) {
  const standIn = openModelStandIn({ key, match })
  const server = createServer(getRequestListener((request) => standIn.fetch(request)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

/** Returns a model of the stand-in, which costs nothing. */
export const modelAt = (OPENAI_BASE_URL: string, TALK_MODEL: string): Model =>
  modelOf({
    ...{ PUBLIC_TALK: 'on', TALK_MODEL, TALK_PRICE_IN: '0', TALK_PRICE_OUT: '0' },
    ...{ OPENAI_BASE_URL, OPENAI_API_KEY: key },
  } as ServerEnv)!
