import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { databaseClient } from '../src/collections/database.ts'

/** What went wrong, of all that a failed build prints: the sentences, without where in our code they were written. */
const buildProblem = (output: string): string =>
  stripVTControlCharacters(output)
    .replace(/^\s*(Hint|Location|Stack trace):[^]*/m, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')

/**
 * `node setup/build.ts`: `astro build`, which tells the admin who pressed Publish why it failed, where the environment
 * holds the secret key.
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
