import { connectSupabase } from '#platform/server/database.ts'
import { planLimits } from '#plans/domain/plans.ts'
import { readDatabaseState, type DatabaseState } from '#platform/server/health.ts'
import { runCommand, stopAt, type Environment } from './command.ts'

/**
 * Asks the database of the environment.
 * @throws Error if a variable is missing or the database does not answer
 */
export function databaseState({
  PUBLIC_SITE_URL,
  PUBLIC_SUPABASE_URL,
  SUPABASE_SECRET_KEY,
}: Environment): Promise<DatabaseState> {
  if (!PUBLIC_SITE_URL || !PUBLIC_SUPABASE_URL || !SUPABASE_SECRET_KEY)
    throw new Error('PUBLIC_SITE_URL, PUBLIC_SUPABASE_URL or SUPABASE_SECRET_KEY is missing')
  return readDatabaseState(connectSupabase({ PUBLIC_SITE_URL, PUBLIC_SUPABASE_URL, SUPABASE_SECRET_KEY }))
}

/** Returns what to do if the database cannot be asked, or has another schema or other limits than this version was written for. */
export async function schemaProblem(environment: Environment): Promise<string | undefined> {
  let found: DatabaseState
  try {
    found = await databaseState(environment)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The database could not be asked for its schema (${reason}). Were they applied? npx supabase db push --remote`
  }
  const { missing, different } = found
  if (missing.length + different.length > 0)
    return [
      'The database has not the schema of this version. Apply its migrations first: npx supabase db push --remote',
      ...missing.map((name) => `missing: ${name}`),
      ...different.map((name) => `different: ${name}`),
    ].join('\n  ')
  const [theirs, ours] = [found.planLimits, planLimits].map(inWords)
  return theirs === ours
    ? undefined
    : `The database's plans have ${theirs}; src/features/plans/domain/plans.ts says ${ours}. Change private.plan_limits with a migration.`
}

/** Returns the limits in words: "growth: 1 agents, 2 lines; pro: 3 agents, 3 lines". */
const inWords = (limits: DatabaseState['planLimits']): string =>
  limits
    .map(({ plan, agents, lines }) => `${plan}: ${agents ?? 'any'} agents, ${lines ?? 'any'} lines`)
    .toSorted()
    .join('; ')

/** `node setup/schema.ts`: stops a deployment whose database has another schema than the code, or other limits than the site shows. */
if (import.meta.main)
  await runCommand(async (environment) => {
    const problem = await schemaProblem(environment)
    stopAt(problem ? [problem] : [])
    console.log('The database has the schema of this version, and the limits of the catalogue.')
  })
