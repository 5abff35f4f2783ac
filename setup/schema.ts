import { connectSupabase } from '#platform/server/database.ts'
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

/** Returns one sentence if the database cannot be asked or lacks migrations. */
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
  return found.missing.length > 0
    ? `The database lacks the migrations ${found.missing.join(', ')}. Apply them first: npx supabase db push --remote`
    : undefined
}

/** `node setup/schema.ts`: stops a deployment whose database lacks migrations that the code needs. */
if (import.meta.main)
  await runCommand(async (environment) => {
    const problem = await schemaProblem(environment)
    stopAt(problem ? [problem] : [])
    console.log('The database has every migration.')
  })
