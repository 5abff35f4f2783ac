import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { buildIfStale } from '../local/build.ts'
import { localEnvironment } from '../local/environment.ts'
import { firstPort } from './support/ports.ts'
import { hasPostgres, postgresPackage } from './support/postgres-package.ts'

/**
 * `npm test`: every check, to the end even if one fails. Two run at a time, because each leaves a core idle at times. The
 * table at the end says what each one took, and the last line counts all tests of all runners.
 */
const bin = (name: string) => `node_modules/.bin/${name}`
const results = 'test-results'
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

interface Count {
  passed: number
  failed: number
}
interface Outcome extends Count {
  isGood: boolean
}
/** What a check writes goes to `print`. */
type Check = (print: (text: string) => void) => Promise<Outcome>

const rows: (Outcome & { name: string; seconds: number })[] = []

function run(command: string[], print: (text: string) => void): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    let stdout = ''
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      print(text)
    })
    child.stderr.setEncoding('utf8').on('data', print)
    child.once('error', () => resolve({ code: 1, stdout }))
    child.once('close', (code) => resolve({ code: code ?? 1, stdout }))
  })
}

/** A command that counts as one test. */
const single =
  (...command: string[]): Check =>
  async (print) =>
    one((await run(command, print)).code === 0)
const one = (isGood: boolean): Outcome => ({ isGood, passed: Number(isGood), failed: Number(!isGood) })

/** A runner that leaves its counts in a file; without one it counts nothing, and has failed. */
const runner =
  (command: string[], file: string, count: (report: never) => Count): Check =>
  async (print) => {
    const { code } = await run(command, print)
    const counted = existsSync(file)
      ? count(JSON.parse(readFileSync(file, 'utf8')) as never)
      : { passed: 0, failed: 0 }
    return { isGood: code === 0 && counted.failed === 0, ...counted }
  }

function vitest(project: string): Check {
  const file = `${results}/${project}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return runner(
    [bin('vitest'), 'run', '--project', project, '--passWithNoTests=false', ...reporters],
    file,
    (report: { numPassedTests: number; numFailedTests: number }) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests,
    }),
  )
}

const build: Check = async (print) => {
  const nothing = { passed: 0, failed: 0 }
  try {
    await buildIfStale(localEnvironment({ port: firstPort, given: {} }), () => {})
    return { isGood: true, ...nothing }
  } catch (error) {
    print(`${String(error)}\n`)
    return { isGood: false, ...nothing }
  }
}

/** Counts nothing if the registry, which alone knows of advisories, cannot be asked. */
const audit: Check = async (print) => {
  const command = ['npm', 'audit', '--omit=dev', '--audit-level=high', '--json']
  const severe = severeAdvisories((await run(command, () => {})).stdout)
  if (severe !== undefined) return one(severe === 0)
  print('The registry could not be asked about advisories.\n')
  return { isGood: true, passed: 0, failed: 0 }
}

/** How many advisories of severity high or critical the audit names; undefined without a readable answer. */
function severeAdvisories(report: string): number | undefined {
  try {
    const { metadata } = JSON.parse(report) as {
      metadata?: { vulnerabilities: { high: number; critical: number } }
    }
    return metadata && metadata.vulnerabilities.high + metadata.vulnerabilities.critical
  } catch {
    return undefined
  }
}

const playwright = runner(
  [bin('playwright'), 'test'],
  `${results}/e2e.json`,
  ({ stats }: { stats: { expected: number; unexpected: number; flaky: number } }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
  }),
)

/** Prints what stood on the page when a test failed, because nothing else tells it where only this text is kept. */
const endToEnd: Check = async (print) => {
  const outcome = await playwright(print)
  for (const file of globSync(`${results}/e2e/*/error-context.md`)) print(`\n${readFileSync(file, 'utf8')}`)
  return outcome
}

/** One check after another. */
type Lane = Record<string, Check>

/** What a check writes is held until it is over, because another lane writes meanwhile. */
async function follow(lane: Lane): Promise<void> {
  for (const [name, check] of Object.entries(lane)) {
    const begun = performance.now()
    let held = `\n── ${name}\n`
    const outcome = await check((text) => void (held += text))
    process.stdout.write(held)
    rows.push({ name, ...outcome, seconds: (performance.now() - begun) / 1000 })
  }
}

const together = (...lanes: Lane[]): Promise<unknown> => Promise.all(lanes.map(follow))

const begun = performance.now()
await together({ build })
// Both lanes take about as long. The programs and the end-to-end tests listen on the same ports.
await together(
  {
    types: single(bin('astro'), 'check', '--minimumSeverity', 'error'),
    audit,
    integration: vitest('integration'),
    ...(hasPostgres && { postgres: vitest('postgres'), embedded: vitest('embedded') }),
    budgets: vitest('budgets'),
    component: vitest('component'),
  },
  {
    format: single(bin('prettier'), '--check', '--log-level', 'warn', '.'),
    lint: single(bin('eslint'), '.'),
    unit: vitest('unit'),
    conformance: vitest('conformance'),
    programs: vitest('programs'),
    'end to end': endToEnd,
  },
)

const total = (count: keyof Count): number => rows.reduce((sum, row) => sum + row[count], 0)
const line = (...[suite, tests, seconds]: string[]): string =>
  `${suite!.padEnd(12)}${tests!.padStart(7)}${seconds!.padStart(9)}`
console.log(`\n${line('suite', 'tests', 'seconds')}`)
for (const { name, passed, failed, seconds, isGood } of rows)
  console.log(line(name, String(passed + failed), seconds.toFixed(1)) + (isGood ? '' : '  failed'))
console.log(
  line('all', String(total('passed') + total('failed')), ((performance.now() - begun) / 1000).toFixed(1)),
)

if (!hasPostgres)
  console.log(`\nLeft out: the tests on a real PostgreSQL, because ${postgresPackage} is not installed.`)
const broken = rows.filter(({ isGood }) => !isGood).map(({ name }) => name)
if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`)
const failed = broken.length > 0 ? Math.max(total('failed'), 1) : total('failed')
console.log(`\n${total('passed')} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
