import { connectSupabase } from '#platform/server/database.ts'
import { readEnv } from '#platform/server/env.ts'
import { compareSchema, type SchemaDifference } from '#platform/server/health.ts'
import { runCommand, stopAt, type Environment } from './command.ts'

/** Returns one sentence if the database cannot be asked or lacks migrations. */
export async function schemaProblem(environment: Environment): Promise<string | undefined> {
  let found: SchemaDifference
  try {
    found = await compareSchema(connectSupabase(readEnv(environment)))
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
  })
