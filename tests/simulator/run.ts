import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startWorld } from '../support/world.ts'
import { runAgentHistory } from './agents.ts'
import { runCalls } from './calls.ts'
import { simulate, type Violation } from './simulate.ts'

/**
 * `node tests/simulator/run.ts --histories 10000 --seed 1`: runs random purchase histories and checks the invariants in
 * each. It prints the seed of the run, and every step of a history that violates an invariant, with the seed that repeats it.
 * With `--postgres`, the histories run on a real PostgreSQL, and several steps of a history run at once: the seed repeats
 * the steps, but not the order in which their statements meet. With `--agents`, the histories are those of customers' agents
 * at the voice provider. With `--calls 2000`, so many callers ring businesses, 8 at once, and book, move and cancel. With `--processes 2`, two processes share the histories, each with a database of its own.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    agents: { type: 'boolean', default: false },
    calls: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
})
const histories = Number(values.histories)
if (values.postgres) process.env.TEST_DATABASE = 'postgres'
process.env.LITE_AUTH_BCRYPT_COST = '4'
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const write = (line: string) => process.stdout.write(`${line}\n`)
// Silences the log of the functions.
console.error = console.info = console.log = console.warn = () => undefined

write(`seed ${seed}`)
const processes = Number(values.processes)
if (processes > 1) {
  const share = Math.ceil(histories / processes)
  const flags = process.argv.slice(2).filter((flag) => flag === '--postgres' || flag === '--agents')
  const codes = await Promise.all(
    Array.from({ length: processes }, async (_, nth) => {
      const own = Math.min(share, histories - nth * share)
      const range = ['--histories', String(own), '--seed', String(seed + nth * share)]
      const child = spawn(process.execPath, [import.meta.filename, ...range, ...flags], { stdio: 'inherit' })
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    }),
  )
  process.exit(codes.every((code) => code === 0) ? 0 : 1)
}
const begun = performance.now()
const seconds = () => ((performance.now() - begun) / 1000).toFixed(0)
let printed = 0
const print = ({ seed: own, broken, log }: Violation): void => {
  write(
    `\nnpm run simulate -- --seed ${own} --histories 1${values.postgres ? ' --postgres' : ''}${values.agents ? ' --agents' : ''}\n${log.map((line) => `  ${line}`).join('\n')}`,
  )
  for (const what of broken) write(`  BROKEN: ${what}`)
}
if (values.agents) {
  const world = await startWorld()
  let broken = 0
  for (let nth = 0; nth < histories; nth++) {
    const history = await runAgentHistory(world, seed + nth)
    if (history.broken.length === 0) continue
    broken++
    print(history)
  }
  await world.close()
  write(`\n${histories} histories of agents from seed ${seed}: ${broken} violations, ${seconds()} s`)
  process.exit(broken === 0 ? 0 : 1)
}
if (values.calls !== undefined) {
  const world = await startWorld()
  const { broken, tools, bookings, moved } = await runCalls(world, {
    seed,
    count: Number(values.calls),
    atOnce: 8,
  })
  await world.close()
  for (const what of broken) write(`  BROKEN: ${what}`)
  write(
    `\n${values.calls} calls from seed ${seed}: ${tools} tools, ${bookings} bookings, ${moved} moves, ${broken.length} violations, ${seconds()} s`,
  )
  process.exit(broken.length === 0 ? 0 : 1)
}
const { violations, results, ...counts } = await simulate({
  histories,
  seed,
  atOnce: values.postgres ? 3 : 1,
  progress({ histories: done, charges, violations }) {
    for (const violation of violations.slice(printed)) print(violation)
    printed = violations.length
    if (done % 100 === 0)
      write(`${seconds()} s: ${done} histories, ${charges} charges, ${violations.length} violations`)
  },
})
for (const [kind, times] of [...results].toSorted(([, one], [, other]) => other - one))
  write(`${String(times).padStart(7)} ${kind}`)
write(
  `\n${counts.histories} histories from seed ${seed}: ${counts.steps} steps, ${counts.charges} charges, ${violations.length} violations, ${seconds()} s`,
)
process.exit(violations.length === 0 ? 0 : 1)
