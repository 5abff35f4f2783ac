import * as z from 'zod/mini'
import { schemaFingerprints } from '#supabase/schema-fingerprints.ts'
import { runSql, type Supabase } from './database.ts'
import { logFailure } from './log.ts'
import { ipAddressOf, takeRateLimit } from './rate-limit.ts'
import { checkMethod } from './request.ts'
import { failureResponse, jsonResponse } from './responses.ts'
import { services } from './services.ts'

const moment = z.nullable(z.string())
const databaseHealth = z.object({
  plan_limits: z.array(
    z.object({ plan: z.string(), agents: z.nullable(z.number()), lines: z.nullable(z.number()) }),
  ),
  admins: z.number(),
  last_webhook: moment,
  last_reconciliation: moment,
  last_clock: z.string(),
})

/** What a deployment asks the database: objects that it lacks or has otherwise, its plans' limits, and how many admins it has. */
export interface DatabaseState {
  missing: string[]
  different: string[]
  planLimits: z.infer<typeof databaseHealth>['plan_limits']
  admins: number
}

interface Health {
  status: 'ok' | 'failing'
  database: 'ok' | 'unreachable'
  /** `different` if the database lacks an object that the code needs, or has another one of its name. */
  schema: 'current' | 'different' | 'unknown'
  lastWebhook: string | null
  lastReconciliation: string | null
  /** When the clock ran last. Nothing that waits is done without it. */
  lastClock: string | null
}

/** The reconciliation runs every hour; two missed runs are a failure. */
const reconciliationLimitMs = 3 * 3600_000
/** The clock runs every minute. */
const clockLimitMs = 5 * 60_000

/**
 * Compares the database with what the code needs.
 * @throws DatabaseError
 */
export async function readDatabaseState(supabase: Supabase): Promise<DatabaseState> {
  const [difference, { plan_limits: planLimits, admins }] = await Promise.all([
    readDifference(supabase),
    runSql(supabase, 'health', {}, databaseHealth),
  ])
  return { ...difference, planLimits, admins }
}

/** Compares the database's schema with that of the migrations. Objects that the migrations do not make are left alone. */
async function readDifference(supabase: Supabase): Promise<Pick<DatabaseState, 'missing' | 'different'>> {
  const found = await runSql(supabase, 'schema_fingerprints', {}, z.record(z.string(), z.string()))
  const names = Object.keys(schemaFingerprints)
  return {
    missing: names.filter((name) => !(name in found)),
    different: names.filter((name) => name in found && found[name] !== schemaFingerprints[name]),
  }
}

/** Reports the health for a monitor. It contains no address, name or key. */
export async function reportHealth(request: Request): Promise<Response> {
  const wrongMethod = checkMethod(request, 'GET')
  if (wrongMethod) return failureResponse(wrongMethod)
  const connected = services()
  let health: Health
  try {
    const rateLimited = await takeRateLimit('health', { ipAddress: ipAddressOf(request) }, connected)
    if (rateLimited) return failureResponse(rateLimited)
    const [found, { missing, different }] = await Promise.all([
      runSql(connected.supabase, 'health', {}, databaseHealth),
      readDifference(connected.supabase),
    ])
    health = healthOf(found, missing.length + different.length === 0, Date.now())
  } catch (error) {
    logFailure('health', error)
    health = unreachable
  }
  return jsonResponse(health, health.status === 'ok' ? 200 : 503)
}

const unreachable: Health = {
  status: 'failing',
  database: 'unreachable',
  schema: 'unknown',
  lastWebhook: null,
  lastReconciliation: null,
  lastClock: null,
}

function healthOf(
  { last_webhook, last_reconciliation, last_clock }: z.infer<typeof databaseHealth>,
  isCurrent: boolean,
  now: number,
): Health {
  // A new deployment has not reconciled yet.
  const isLate =
    now - Date.parse(last_clock) > clockLimitMs ||
    (last_reconciliation !== null && now - Date.parse(last_reconciliation) > reconciliationLimitMs)
  return {
    status: isCurrent && !isLate ? 'ok' : 'failing',
    database: 'ok',
    schema: isCurrent ? 'current' : 'different',
    lastWebhook: last_webhook,
    lastReconciliation: last_reconciliation,
    lastClock: last_clock,
  }
}
