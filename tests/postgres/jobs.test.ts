import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jobKinds } from '#admin/server/job-kinds.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { clock, runJobs, waitAfter, type Job, type JobKind } from '#platform/server/jobs.ts'
import { services } from '#platform/server/services.ts'
import { requestsAnswered, requestUnlessDead, runUntilCrash } from '../simulator/crash.ts'
import { Random } from '../simulator/random.ts'
import { eventually } from '../support/eventually.ts'
import { captureLog } from '../support/log.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** The number of jobs that eight runners do: `JOBS=10000 npm run test:postgres -- jobs`. */
const many = Number(process.env.JOBS ?? 300)

let count = 0
/** Returns a new kind of jobs. */
async function kindOf(run: JobKind['run'], more: Partial<JobKind> = {}): Promise<JobKind> {
  const kind = `test ${(count += 1)}`
  await world.sql('insert into private.job_kinds (kind) values ($1)', [kind])
  return { kind, run, ...more }
}
const enqueue = ({ kind }: JobKind, key: string, wait = 0) =>
  world.sql('select private.enqueue($1, $2, make_interval(secs => $3))', [kind, key, wait])
const jobsOf = ({ kind }: JobKind) =>
  world.sql<{ key: string; attempts: number; error: string | null; is_given_up: boolean; wait: number }>(
    `select key, attempts, error, given_up_at is not null as is_given_up,
       round(extract(epoch from due_at - now()))::integer as wait
     from private.jobs where kind = $1 order by key`,
    [kind],
  )
const runClock = (kinds: JobKind[]) =>
  clock(kinds)(new Request(`${world.origin}/.netlify/functions/clock`, { method: 'POST' }))

test('each kind in the database has a handler, and each handler its kind', async () => {
  const known = await world.sql<{ kind: string }>(
    `select kind from private.job_kinds where kind not like 'test %' order by kind`,
  )
  expect(known.map(({ kind }) => kind)).toEqual(jobKinds.map(({ kind }) => kind).toSorted())
})

test('docs/operations.md says how often an idle site wakes functions in thirty days', () => {
  const clock = 30 * 24 * 60
  const background = jobKinds.reduce(
    (sum, { isLong, everyMinutes }) => sum + (isLong && everyMinutes ? clock / everyMinutes : 0),
    0,
  )
  const said = readFileSync('docs/operations.md', 'utf8')
  for (const count of [clock, background, clock + background]) expect(said).toContain(grouped(count))
})

test('241. Eight runners that die at any step → no two are at one job at a time, each effect once, and none is lost', async () => {
  const random = new Random(241)
  const network = globalThis.fetch
  globalThis.fetch = (...request) => requestUnlessDead(() => network(...request))
  onTestFinished(() => void (globalThis.fetch = network))
  /** What the outside has, by its idempotency key, and how often it was asked. */
  const effects = new Map<string, number>()
  const running = new Set<string>()
  const collisions: string[] = []
  const run = async ({ key }: Job): Promise<void> => {
    if (running.has(key)) collisions.push(key)
    running.add(key)
    await requestUnlessDead(async () => void effects.set(key, (effects.get(key) ?? 0) + 1))
    await requestUnlessDead(async () => undefined)
    running.delete(key)
  }
  const kinds = await Promise.all([1, 2, 3, 4].map((lanes) => kindOf(run, { lanes })))
  await world.sql(
    `select private.enqueue(k.kind, k.kind || ' ' || n) from generate_series(1, $1::integer) n
     join unnest($2::text[]) with ordinality k (kind, nth) on k.nth = 1 + n % 4`,
    [many, kinds.map(({ kind }) => kind)],
  )
  const left = async () =>
    (await world.sql('select from private.jobs where kind = any ($1)', [kinds.map(({ kind }) => kind)]))
      .length
  let deaths = 0
  for (let round = 1; (await left()) > 0; round++) {
    // In the first three rounds each runner dies, at one of its first eight requests: together the two of a kind claim no
    // more than 48 of its jobs, so that neither ends because nothing is left to do.
    const isFatal = round <= 3
    await Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        const crash =
          isFatal || random.chance(0.5)
            ? {
                request: random.between(1, isFatal ? 8 : 60),
                when: random.pick(['before', 'after'] as const),
              }
            : undefined
        const done = await runUntilCrash(crash, () =>
          runJobs(kinds[nth % 4]!, services(), { until: isFatal ? Infinity : Date.now() + 20_000 }),
        )
        if (done === undefined) deaths++
      }),
    )
    if (isFatal) expect(deaths).toBe(8 * round)
    // A minute passes, in which the claims of the dead run out.
    await requestsAnswered()
    running.clear()
    await Promise.all(kinds.map(({ kind }) => world.hasten(kind, 'crashed')))
  }
  expect(collisions).toEqual([])
  expect(effects.size).toBe(many)
  // The outside was asked again only for what the dead had in hand: four at most.
  const asked = [...effects.values()].reduce((sum, each) => sum + each, 0)
  expect(asked - many).toBeLessThanOrEqual(4 * deaths)
}, 600_000)

test('242. A runner whose claim has run out ends → nothing: the job is another’s', async () => {
  const late = Promise.withResolvers<void>()
  const runs: Job[] = []
  const kind = await kindOf(async (job) => {
    runs.push(job)
    if (runs.length === 1) await late.promise
    else throw new Error('fails')
  })
  await enqueue(kind, 'a')
  const first = runJobs(kind, services())
  await eventually(() => expect(runs).toHaveLength(1))
  expect(await runJobs(kind, services()), 'it is claimed').toBe(0)
  await world.hasten(kind.kind, 'crashed')
  captureLog()
  expect(await runJobs(kind, services())).toBe(0)
  late.resolve()
  await first
  expect(await jobsOf(kind)).toMatchObject([{ key: 'a', attempts: 2, error: 'Error' }])
  expect(
    await world.sql(`select private.holds_job($1, 'a', $2) as holds`, [kind.kind, runs[0]!.claim]),
  ).toEqual([{ holds: false }])
})

test('271. A lane cannot claim its next job while another is at work → the work is done, and the failure is the caller’s', async () => {
  const network = globalThis.fetch
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => {
    globalThis.fetch = network
    process.off('unhandledRejection', unhandled)
  })
  const isRefused = Promise.withResolvers<void>()
  const kind = await kindOf(
    async () => {
      await isRefused.promise
      // Node tells of a rejection that nobody awaits after the running task.
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
    },
    { lanes: 2 },
  )
  await enqueue(kind, 'a')
  await enqueue(kind, 'b')
  let claims = 0
  globalThis.fetch = async (...request) => {
    if (!new Request(...request).url.endsWith('/rpc/claim_job') || ++claims !== 2) return network(...request)
    setImmediate(isRefused.resolve)
    throw new TypeError('fetch failed')
  }
  await expect(runJobs(kind, services(), { until: Date.now() + 20_000 })).rejects.toThrow('database')
  expect(unhandled).not.toHaveBeenCalled()
  expect(await jobsOf(kind)).toEqual([])
})

test('243. Something changes while its job runs → it runs again, and a job that has failed begins anew', async () => {
  let seen = 0
  const kind = await kindOf(async () => {
    seen++
    if (seen === 1) await enqueue(kind, 'a')
    if (seen === 2) throw new Error('fails')
  })
  await enqueue(kind, 'a', 600)
  expect(await runJobs(kind, services()), 'it is not due').toBe(0)
  await enqueue(kind, 'a')
  await runJobs(kind, services())
  expect(await jobsOf(kind)).toMatchObject([{ attempts: 0, wait: 0 }])
  captureLog()
  await runJobs(kind, services())
  expect(await jobsOf(kind)).toMatchObject([{ attempts: 1, wait: 60 }])
  await enqueue(kind, 'a')
  expect(await jobsOf(kind)).toMatchObject([{ attempts: 0, wait: 0, error: null }])
  await runJobs(kind, services())
  expect(await jobsOf(kind)).toEqual([])
})

test('244. A job fails, or crashes its runner, time after time → it waits longer, and is given up', async () => {
  const kind = await kindOf(() => Promise.reject(new Error('fails')), { attempts: 3 })
  await enqueue(kind, 'a')
  const log = captureLog()
  for (const wait of [60, 120]) {
    await runJobs(kind, services())
    expect(await jobsOf(kind)).toMatchObject([{ wait, is_given_up: false }])
    await world.hasten(kind.kind)
  }
  await runJobs(kind, services())
  expect(await jobsOf(kind)).toMatchObject([{ attempts: 3, error: 'Error', is_given_up: true }])
  await world.hasten(kind.kind)
  expect(await runJobs(kind, services())).toBe(0)
  expect(log.text().split(`"event":"${kind.kind}"`)).toHaveLength(4)
  expect([1, 3, 7, 40].map(waitAfter)).toEqual([60, 240, 3600, 3600])

  const crashing = await kindOf(() => Promise.resolve(), { attempts: 3 })
  await enqueue(crashing, 'a')
  await world.sql('update private.jobs set attempts = 3 where kind = $1', [crashing.kind])
  await runJobs(crashing, services())
  expect(await jobsOf(crashing)).toMatchObject([{ error: 'crashed', is_given_up: true }])
  await enqueue(crashing, 'a')
  await runJobs(crashing, services())
  expect(await jobsOf(crashing)).toEqual([])
})

test('245. A provider hangs → no other kind waits for it, and recurring jobs go on', async () => {
  const release = Promise.withResolvers<void>()
  const hanging = await kindOf(() => release.promise, { lanes: 3 })
  const done: string[] = []
  const quick = await kindOf(async ({ key }) => void done.push(key))
  const regular = await kindOf(async () => void done.push('regular'), { everyMinutes: 10 })
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    await enqueue(hanging, key)
    await enqueue(quick, key)
  }
  const run = runClock([hanging, quick, regular])
  await eventually(async () => {
    expect(done.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'regular'])
    expect(await jobsOf(quick)).toEqual([])
    expect(await jobsOf(regular)).toMatchObject([{ key: '', attempts: 0, wait: 600 }])
  })
  release.resolve()
  expect(await (await run).json()).toEqual({ done: 11 })
  expect(await (await runClock([hanging, quick, regular])).json()).toEqual({ done: 0 })
})

test('246. What takes long runs in the background, and only the clock starts it', async () => {
  const started = vi.fn<(signature: string | null) => Promise<Response>>(() =>
    Promise.resolve(new Response(null, { status: 202 })),
  )
  const network = globalThis.fetch
  globalThis.fetch = (input, init) =>
    String(input instanceof Request ? input.url : input).endsWith('/work-background')
      ? started(new Headers(init?.headers).get('x-signature'))
      : network(input, init)
  onTestFinished(() => void (globalThis.fetch = network))
  const kind = await kindOf(() => Promise.resolve(), { isLong: true })
  await runClock([kind])
  expect(started, 'nothing is due').not.toHaveBeenCalled()
  await enqueue(kind, 'a')
  expect(await (await runClock([kind])).json()).toEqual({ done: 0 })
  const [signature] = started.mock.calls[0]!
  expect((await world.post('work-background', {}, { 'x-signature': signature! })).status).toBe(200)
  captureLog()
  for (const wrong of ['', 'wrong', signature!.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))])
    expect((await world.post('work-background', {}, { 'x-signature': wrong })).status).toBe(400)
})
