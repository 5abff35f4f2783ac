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

/** Returns one sentence if the database cannot be asked, lacks migrations or has other limits than the catalogue. */
export async function schemaProblem(environment: Environment): Promise<string | undefined> {
  let found: DatabaseState
  try {
    found = await databaseState(environment)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The database could not be asked for its migrations (${reason}). Were they applied? npx supabase db push --remote`
  }
  if (found.unknown.length > 0)
    console.log(`The database has migrations that this version does not know: ${found.unknown.join(', ')}.`)
  if (found.missing.length > 0)
    return `The database lacks the migrations ${found.missing.join(', ')}. Apply them first: npx supabase db push --remote`
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

/** `node setup/schema.ts`: stops a deployment whose database lacks migrations, or has other limits than the site shows. */
if (import.meta.main)
  await runCommand(async (environment) => {
    const problem = await schemaProblem(environment)
    stopAt(problem ? [problem] : [])
    console.log('The database has every migration, and the limits of the catalogue.')
  })
