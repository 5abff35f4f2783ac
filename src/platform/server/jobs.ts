import * as z from 'zod/mini'
import { CodedError } from './coded-error.ts'
import { runSql } from './database.ts'
import { guarded, type NetlifyFunction } from './http.ts'
import { isKeyedHash, keyedHash } from './keyed-hash.ts'
import { errorCode, logFailure } from './log.ts'
import { checkMethod } from './request.ts'
import { failureResponse, jsonResponse, refuseSignature } from './responses.ts'
import { services, type Services } from './services.ts'

const claimedJob = z.nullable(
  z.object({ key: z.string(), payload: z.unknown(), claim: z.string(), attempt: z.number() }),
)
/** A job that this process has claimed (SQL: `claim_job`). */
export interface Job {
  key: string
  payload: unknown
  /** The token of the claim, for an SQL function that writes only while it holds. */
  claim: string
  /** 1 for the first attempt. */
  attempt: number
}

/** How jobs of a kind are done. The kind is in `private.job_kinds`. */
export interface JobKind {
  kind: string
  /**
   * Does a job. It can be repeated at any step: a crash or a lost answer makes it run again. If it throws, the job is tried
   * again later.
   * @returns after how many seconds the job runs again although nothing has failed; nothing if it is done
   */
  run(job: Job, connected: Services): Promise<number | void>
  /** A recurring job runs after so many minutes again. It is never given up. */
  everyMinutes?: number
  /** The number of jobs that one run does at the same time. */
  lanes?: number
  /** After how many attempts a job is given up: it stays with its error, and the operator can try it again (docs/operations.md). */
  attempts?: number
  /** Whether a job may take longer than the ten seconds that the clock leaves to it: it runs in the background. */
  isLong?: boolean
}

/** The number of attempts before a job is given up: they take a day and a half. */
const usualAttempts = 40
/** For how long a job is claimed, in seconds: longer than any takes, and no longer than a crash may delay it. */
const claimSeconds = { short: 60, long: 300 }

/** Returns after how many seconds a failed job is tried again: 1, 2, 4 … minutes, an hour at most. */
export const waitAfter = (attempt: number): number => 60 * Math.min(60, 2 ** (attempt - 1))

/** A job has crashed its process time after time. */
class CrashedJobError extends CodedError {
  override readonly name = 'CrashedJobError'
  constructor() {
    super('crashed')
  }
}

/**
 * Does the jobs of a kind that are due, the oldest first. If one is being done by somebody else, it is left to them.
 * @param key does only the job of this key
 * @param until begins no other job after this time, in milliseconds since 1970; it does one if absent
 * @returns how many it has done without a failure
 */
export async function runJobs(
  kind: JobKind,
  connected: Services,
  { key = null, until = 0 }: { key?: string | null; until?: number } = {},
): Promise<number> {
  const seconds = kind.isLong ? claimSeconds.long : claimSeconds.short
  const claim = () =>
    runSql(connected.supabase, 'claim_job', { p_kind: kind.kind, p_key: key, p_seconds: seconds }, claimedJob)
  let count = 0
  let freeLanes = kind.lanes ?? 1
  const lane = async (): Promise<void> => {
    freeLanes--
    const others: Promise<void>[] = []
    for (let job = await claim(); job; job = Date.now() < until ? await claim() : null) {
      if (freeLanes > 0 && Date.now() < until) {
        const another = lane()
        // If it fails before it is awaited, Node would end the process.
        another.catch(() => undefined)
        others.push(another)
      }
      if (await runJob(kind, job, connected)) count++
    }
    await Promise.all(others)
  }
  await lane()
  return count
}

/**
 * Does the job of a key at once if it is due. It is left to the clock if this fails.
 * @returns whether it was done
 */
export const startJob = (kind: JobKind, key: string, connected: Services): Promise<boolean> =>
  runJobs(kind, connected, { key }).then(
    (count) => count > 0,
    (error: unknown) => {
      logFailure(kind.kind, error)
      return false
    },
  )

/** Does the job of a key at once if there is one, also if its next attempt is not due, or if it was given up. */
export async function retryJob(kind: JobKind, key: string, connected: Services): Promise<boolean> {
  const waits = await runSql(connected.supabase, 'retry_job', { p_kind: kind.kind, p_key: key }, z.boolean())
  return waits && startJob(kind, key, connected)
}

/** Does one job, and says whether it was done. */
async function runJob(kind: JobKind, job: Job, connected: Services): Promise<boolean> {
  const { everyMinutes, attempts = usualAttempts } = kind
  const regular = everyMinutes ? everyMinutes * 60 : null
  const end = (error: string | null, wait: number | null) =>
    runSql(
      connected.supabase,
      'end_job',
      { p_kind: kind.kind, p_key: job.key, p_claim: job.claim, p_error: error, p_wait: wait },
      z.boolean(),
    )
  let again: number | null
  try {
    if (job.attempt > attempts && !regular) throw new CrashedJobError()
    again = (await kind.run(job, connected)) ?? regular
  } catch (error) {
    logFailure(kind.kind, error)
    const isLast = job.attempt >= attempts && !regular
    await end(errorCode(error), isLast ? null : Math.min(waitAfter(job.attempt), regular ?? Infinity))
    return false
  }
  await end(null, again)
  return true
}

/** The clock begins no job after this time, in milliseconds: the host ends a scheduled function after 30 seconds. */
const clockTime = 20_000
/** A run in the background begins no job after this time: the next minute starts another. */
const backgroundTime = 50_000

const background = 'work-background'

/**
 * Returns the one function that the host invokes on a schedule, every minute. It does the jobs that are due: all kinds side
 * by side, so that one that hangs delays no other. For kinds that take long it starts the function in the background, only if
 * one is due.
 */
export const clock = (kinds: readonly JobKind[]): NetlifyFunction =>
  guarded('clock', async (request) => {
    const wrongMethod = checkMethod(request)
    if (wrongMethod) return failureResponse(wrongMethod)
    const connected = services()
    const recurring = kinds.flatMap(({ kind, everyMinutes }) => (everyMinutes ? [kind] : []))
    const due = await runSql(connected.supabase, 'run_clock', { p_recurring: recurring }, z.array(z.string()))
    const dueKinds = kinds.filter(({ kind }) => due.includes(kind))
    const isLong = dueKinds.some((kind) => kind.isLong)
    const [count] = await Promise.all([
      runKinds(
        dueKinds.filter((kind) => !kind.isLong),
        clockTime,
        connected,
      ),
      isLong && startBackground(connected),
    ])
    return jsonResponse({ done: count })
  })

/** Returns the function that does the jobs which take long. Netlify lets it run for 15 minutes, because of its name. */
export const workInBackground = (kinds: readonly JobKind[]): NetlifyFunction =>
  guarded(background, async (request) => {
    const wrongMethod = checkMethod(request)
    if (wrongMethod) return failureResponse(wrongMethod)
    const connected = services()
    if (!isKeyedHash(request.headers.get('x-signature') ?? '', background, connected.env))
      return refuseSignature(background, 'wrong')
    const count = await runKinds(
      kinds.filter(({ isLong }) => isLong),
      backgroundTime,
      connected,
    )
    return jsonResponse({ done: count })
  })

/** Does the due jobs of some kinds side by side. The failure of one is logged, and delays no other. */
async function runKinds(kinds: readonly JobKind[], time: number, connected: Services): Promise<number> {
  const until = Date.now() + time
  const counts = await Promise.all(
    kinds.map((kind) =>
      runJobs(kind, connected, { until }).catch((error: unknown) => {
        logFailure(kind.kind, error)
        return 0
      }),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function startBackground({ env }: Services): Promise<void> {
  const url = new URL(`/.netlify/functions/${background}`, env.PUBLIC_SITE_URL)
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'x-signature': keyedHash(background, env) },
      signal: AbortSignal.timeout(8_000),
    })
    if (status >= 400) throw new BackgroundError(status)
  } catch (error) {
    logFailure('clock', error)
  }
}

/** The function in the background was refused; the next minute starts it again. */
class BackgroundError extends CodedError {
  override readonly name = 'BackgroundError'
  constructor(status: number) {
    super(`background ${status}`)
  }
}
