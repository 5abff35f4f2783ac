import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { databaseClient } from '../src/collections/database.ts'

/** Returns the error messages in the output of a failed build, without locations and stack traces. */
const buildProblem = (output: string): string =>
  stripVTControlCharacters(output)
    .replace(/^\s*(Hint|Location|Stack trace):[^]*/m, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')

/**
 * `node setup/build.ts`: runs `astro build`. If it fails and the environment has the secret key, writes the reason into
 * the audit log, where the admin who pressed Publish sees it.
 */
if (import.meta.main) {
  const astro = ['node_modules/astro/bin/astro.mjs', 'build', ...process.argv.slice(2)]
  const child = spawn(process.execPath, astro, { stdio: ['inherit', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => {
      output += String(chunk)
      process[stream].write(chunk)
    })
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
    if (code !== 0)
      void databaseClient()
        ?.rpc('report_failed_publication', { p_problem: buildProblem(output) })
        .then()
  })
}
