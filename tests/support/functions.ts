import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { NetlifyFunction } from '#platform/server/http.ts'

const functions = new Map(
  await Promise.all(
    readdirSync('functions').map(async (file) => {
      const name = basename(file, '.ts')
      const { default: run } = (await import(`../../functions/${name}.ts`)) as { default: NetlifyFunction }
      return [name, run] as const
    }),
  ),
)

/** Returns the function of a name, such as `delete-account`. */
export function functionOf(name: string): NetlifyFunction {
  const run = functions.get(name)
  if (!run) throw new Error(`There is no function ${name}`)
  return run
}
