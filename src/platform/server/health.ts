import type { SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import { schemaVersions } from '#supabase/schema-versions.ts'
import { runSql } from './database.ts'
import { logFailure } from './log.ts'
import { ipAddressOf, takeRateLimit } from './rate-limit.ts'
import { checkMethod } from './request.ts'
import { failureResponse, jsonResponse } from './responses.ts'
import { services } from './services.ts'

const moment = z.nullable(z.string())
const databaseHealth = z.object({
  migrations: z.array(z.string()),
  plan_limits: z.array(
    z.object({ plan: z.string(), agents: z.nullable(z.number()), lines: z.nullable(z.number()) }),
  ),
  admins: z.number(),
  last_webhook: moment,
  last_reconciliation: moment,
})

/** What a deployment asks the database: migrations that it lacks, those that the code does not know, limits, and admins. */
export interface DatabaseState {
  missing: string[]
  unknown: string[]
  planLimits: z.infer<typeof databaseHealth>['plan_limits']
  admins: number
}

interface Health {
  status: 'ok' | 'failing'
  database: 'ok' | 'unreachable'
  /** `behind` if the database lacks a migration that the code needs. */
  migrations: 'current' | 'behind' | 'unknown'
  lastWebhook: string | null
  lastReconciliation: string | null
}

/** The reconciliation runs every hour; two missed runs are a failure. */
const reconciliationLimitMs = 3 * 3600_000

/**
 * Compares the database with what the code needs.
 * @throws DatabaseError
 */
export async function readDatabaseState(supabase: SupabaseClient): Promise<DatabaseState> {
  const { migrations, plan_limits: planLimits, admins } = await runSql(supabase, 'health', {}, databaseHealth)
  return { ...difference(migrations), planLimits, admins }
}

const difference = (applied: readonly string[]): Pick<DatabaseState, 'missing' | 'unknown'> => ({
  missing: schemaVersions.filter((version) => !applied.includes(version)),
  unknown: applied.filter((version) => !schemaVersions.includes(version)),
})

/** Reports the health for a monitor. It contains no address, name or key. */
export async function reportHealth(request: Request): Promise<Response> {
  const wrongMethod = checkMethod(request, 'GET')
  if (wrongMethod) return failureResponse(wrongMethod)
  const connected = services()
  let health: Health
  try {
    const rateLimited = await takeRateLimit('health', { ipAddress: ipAddressOf(request) }, connected)
    if (rateLimited) return failureResponse(rateLimited)
    health = healthOf(await runSql(connected.supabase, 'health', {}, databaseHealth), Date.now())
  } catch (error) {
    logFailure('health', error)
    health = unreachable
  }
  return jsonResponse(health, health.status === 'ok' ? 200 : 503)
}

const unreachable: Health = {
  status: 'failing',
  database: 'unreachable',
  migrations: 'unknown',
  lastWebhook: null,
  lastReconciliation: null,
}

function healthOf(
  { migrations, last_webhook, last_reconciliation }: z.infer<typeof databaseHealth>,
  now: number,
): Health {
  const isCurrent = difference(migrations).missing.length === 0
  // A new deployment has not reconciled yet.
  const isLate = last_reconciliation !== null && now - Date.parse(last_reconciliation) > reconciliationLimitMs
  return {
    status: isCurrent && !isLate ? 'ok' : 'failing',
    database: 'ok',
    migrations: isCurrent ? 'current' : 'behind',
    lastWebhook: last_webhook,
    lastReconciliation: last_reconciliation,
  }
}
