import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { zipFunctions } from '@netlify/zip-it-and-ship-it'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localEnvironment } from '../../local/environment.ts'
import { worldPort } from '../support/ports.ts'

const run = promisify(execFile)

/** Our bundles, packed by Netlify's own packer, and the worker of its emulation that runs a package as Lambda does. */
const bundles = mkdtempSync(join(tmpdir(), 'deskbell-functions-'))
const worker = './node_modules/@netlify/functions-dev/dist/worker.js'
const names = readdirSync('functions').map((file) => file.replace(/\.ts$/, ''))
const reading = ['api-bookings', 'api-calls', 'booking-calendar', 'health']
const schedules = {
  clock: '* * * * *',
}
let bundled: Awaited<ReturnType<typeof zipFunctions>>

beforeAll(async () => {
  Object.assign(process.env, localEnvironment({ port: worldPort, given: {} }))
  const source = join(bundles, 'source')
  // In a process of its own, because Vitest would transform each bundle again.
  await run(process.execPath, ['setup/functions.ts', source])
  bundled = await zipFunctions([source], join(bundles, 'packed'), {
    archiveFormat: 'none',
    basePath: source,
    config: { '*': { nodeBundler: 'none' } },
    featureFlags: { zisi_pure_esm: true, zisi_pure_esm_mjs: true },
  })
}, 300_000)
afterAll(() => rmSync(bundles, { recursive: true, force: true }))

async function call(name: string, httpMethod: string): Promise<{ status: number; body: string }> {
  const found = bundled.find((each) => each.name === name)
  const event = {
    rawUrl: `http://localhost/.netlify/functions/${name}`,
    rawQuery: '',
    path: `/.netlify/functions/${name}`,
    httpMethod,
    headers: {},
    multiValueHeaders: {},
    queryStringParameters: {},
    multiValueQueryStringParameters: {},
    body: null,
    isBase64Encoded: false,
  }
  const entryFilePath = pathToFileURL(join(found?.path ?? '', found?.entryFilename ?? '')).href
  const lambda = new Worker(worker, {
    workerData: { clientContext: '{}', entryFilePath, event, timeoutMs: 30_000 },
  })
  const [result] = (await once(lambda, 'message')) as [
    { statusCode: number; body?: string; streamPort?: number },
  ]
  const { streamPort } = result
  const body = streamPort
    ? await text(createConnection({ port: streamPort, host: 'localhost' }))
    : result.body
  await lambda.terminate()
  return { status: result.statusCode, body: body ?? '' }
}
async function callForJson(name: string, httpMethod: string): Promise<{ status: number; json: unknown }> {
  const { status, body } = await call(name, httpMethod)
  return { status, json: JSON.parse(body) }
}

test('all are bundled, as netlify.toml has it', () => {
  expect(bundled.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const { functions, build } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as {
    functions: unknown
    build: { command: string; functions: string }
  }
  expect(functions).toEqual({ node_bundler: 'none' })
  expect(build.functions).toBe('dist-functions')
  expect(build.command).toContain('node setup/functions.ts')
})

/** The most bytes of a function's code, compressed: 50 kB of it are the phone numbers' metadata. Netlify adds 336 kB of its own to each archive: runtime and telemetry. */
const limit = 200_000
/** Those that do the work of all kinds of jobs, for which nobody waits. */
const workers = new Set(['clock', 'work-background'])
/** Those that read the owners' calendars: XML, iCalendar, its rules of recurrence, and what Windows calls time zones. */
const readers = new Set([
  ...workers,
  'booking-link',
  'booking-times',
  'read-calendars',
  'ring-vapi',
  'talk',
  'vapi-tools',
])

test.each(names)('the code of %s is small', (name) => {
  const found = bundled.find((each) => each.name === name)
  const files = readdirSync(found?.path ?? '').filter((file) => !file.startsWith('___netlify'))
  expect(files).toEqual([`${name}.mjs`])
  const { length } = gzipSync(readFileSync(join(found?.path ?? '', `${name}.mjs`)))
  expect(length).toBeGreaterThan(50_000)
  expect(length).toBeLessThan(limit + (workers.has(name) ? 50_000 : 0) + (readers.has(name) ? 120_000 : 0))
})

/** Those whose answer is a page. */
const pages = {
  'stop-call-mails': 'This link is not complete',
  'booking-link': 'This link is not valid any more',
}
const asked = names.filter((name) => !(name in schedules) && !(name in pages))
test.each(asked)('%s runs as Netlify bundles it', async (name) => {
  const [allowed, other] = reading.includes(name) ? (['GET', 'POST'] as const) : (['POST', 'GET'] as const)
  expect(await callForJson(name, other)).toEqual({
    status: 405,
    json: { error: { code: 'method_not_allowed', message: `Use ${allowed}.` } },
  })
})

test.each(Object.entries(pages))(
  '%s runs as Netlify bundles it: its answer is a page',
  async (name, title) => {
    const { status, body } = await call(name, 'GET')
    expect(status).toBe(404)
    expect(body).toContain(`<h1>${title}</h1>`)
  },
)

test('booking-link is at /b/', () => {
  expect(bundled.find(({ name }) => name === 'booking-link')?.routes).toMatchObject([
    { pattern: '/b/:token' },
  ])
})

test('health runs as Netlify bundles it; here no database answers', async () => {
  expect(await callForJson('health', 'GET')).toMatchObject({ status: 503, json: { database: 'unreachable' } })
})

// The scheduler invokes them by POST; here no provider answers.
test.each(Object.entries(schedules))('%s runs as Netlify bundles it, %s', async (name, schedule) => {
  expect(bundled.find((each) => each.name === name)?.schedule).toBe(schedule)
  expect(await callForJson(name, 'POST')).toEqual({
    status: 500,
    json: { error: expect.objectContaining({ code: expect.any(String) }) },
  })
})
