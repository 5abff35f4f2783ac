import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { buildIfStale } from '../local/build.ts'
import { localEnvironment } from '../local/environment.ts'

/**
 * `npm test`: every check, cheapest first, to the end even where one fails. The last line counts all tests of
 * all runners.
 */
const bin = (name: string) => `node_modules/.bin/${name}`
const results = 'test-results'
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const checks: { name: string; command: string[] }[] = [
  { name: 'format', command: [bin('prettier'), '--check', '--log-level', 'warn', '.'] },
  { name: 'lint', command: [bin('eslint'), '.'] },
  { name: 'types', command: [bin('astro'), 'check', '--minimumSeverity', 'error'] },
]
const suites = ['unit', 'integration', 'component', 'budgets']

let passed = 0
let failed = 0
const broken: string[] = []

function run(command: string[]): Promise<number> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    })
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
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

async function stage(name: string, work: () => Promise<boolean>): Promise<void> {
  console.log(`\n── ${name}`)
  if (!(await work())) broken.push(name)
}

for (const { name, command } of checks) {
  await stage(name, async () => {
    const good = (await run(command)) === 0
    if (good) passed += 1
    else failed += 1
    return good
  })
}

for (const suite of suites) {
  if (suite === 'integration') {
    await stage('build', async () => {
      try {
        await buildIfStale(localEnvironment({ port: 4390, given: {} }), () => {})
        return true
      } catch (error) {
        console.error(error)
        return false
      }
    })
  }
  await stage(suite, async () => {
    const file = `${results}/${suite}.json`
    const code = await run([
      bin('vitest'),
      'run',
      '--project',
      suite,
      '--passWithNoTests=false',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ])
    if (existsSync(file)) {
      const report = JSON.parse(readFileSync(file, 'utf8')) as {
        numPassedTests: number
        numFailedTests: number
      }
      passed += report.numPassedTests
      failed += report.numFailedTests
    }
    return code === 0
  })
}

// Advisories are the registry's to tell: where it cannot be asked, that is said, and nothing is counted.
await stage('audit', async () => {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
    encoding: 'utf8',
  })
  const severe = severeAdvisories(stdout)
  if (severe === undefined) console.log('The registry could not be asked about advisories.')
  else if (severe === 0) passed += 1
  else failed += 1
  return !severe
})

await stage('end to end', async () => {
  const code = await run([bin('playwright'), 'test'])
  const file = `${results}/e2e.json`
  if (existsSync(file)) {
    const { stats } = JSON.parse(readFileSync(file, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number }
    }
    passed += stats.expected
    failed += stats.unexpected + stats.flaky
  }
  return code === 0
})

if (broken.length > 0) {
  failed = Math.max(failed, 1)
  console.log(`\nFailed: ${broken.join(', ')}`)
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
