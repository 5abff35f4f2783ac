import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { scratchFolder } from '../support/scratch.ts'
import { defences, type Change, type Defence } from './defences.ts'

/**
 * `npm run defences`: removes each defence of docs/reliability.md from a copy of the project and checks that its test
 * fails then. A test that passes without the defence proves nothing.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, reasons: { type: 'boolean', default: false } },
})
const only = values.only?.split(',').map(Number)
const chosen = defences.filter(({ fault }) => !only || only.includes(fault))
if (chosen.length === 0 || only?.some((fault) => !defences.some((one) => one.fault === fault))) {
  console.log('npm run defences -- [--only 7,12] [--reasons]')
  process.exit(1)
}

const folder = scratchFolder()
process.once('SIGINT', () => process.exit(130))

interface Result {
  fullName: string
  status: 'passed' | 'failed' | 'skipped' | 'pending'
  failureMessages: string[]
}
interface Report {
  testResults: { name: string; message: string; assertionResults: Result[] }[]
}

const escaped = (title: string): string => title.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/**
 * Runs the tests of these files whose names contain one of the titles.
 * @returns the tests that ran, and the error if a file could not run
 */
async function runTests(
  files: readonly string[],
  titles: readonly string[],
): Promise<{ ran: (Result & { file: string })[]; broken: string }> {
  const output = join(folder, 'report.json')
  rmSync(output, { force: true })
  const projects = new Set(files.map((file) => (file.startsWith('tests/') ? file.split('/')[1] : 'unit')))
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...[...projects].flatMap((project) => ['--project', String(project)]),
    ...files,
    '-t',
    titles.map(escaped).join('|'),
    '--reporter=json',
    `--outputFile=${output}`,
  ]
  const errors = await new Promise<string>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('close', () => resolve(text))
  })
  let report: Report
  try {
    report = JSON.parse(readFileSync(output, 'utf8')) as Report
  } catch {
    return { ran: [], broken: errors }
  }
  const ran = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map((result) => ({ ...result, file: name.slice(folder.length + 1) })),
  )
  return { ran, broken: report.testResults.map(({ message }) => message).join('\n') }
}

/** Makes the changes in the copy and returns a function that undoes them. */
function change(changes: readonly Change[]): () => void {
  const before = new Map<string, string>()
  for (const { file, find, replace } of changes) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const count = text.split(find).length - 1
    if (count !== 1) throw new Error(`${file} contains this ${count} times:\n${find}`)
    if (!before.has(path)) before.set(path, text)
    writeFileSync(
      path,
      text.replace(find, () => replace),
    )
  }
  return () => before.forEach((text, path) => writeFileSync(path, text))
}

const changesOf = (defence: Defence): readonly Change[] =>
  'changes' in defence ? defence.changes : [defence]
const isOf = ({ test, title }: Defence, { file, fullName }: { file: string; fullName: string }) =>
  file === test && fullName.includes(title)
const since = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`

for (const defence of chosen) change(changesOf(defence))()

const begun = performance.now()
const untouched = await runTests(
  [...new Set(chosen.map(({ test }) => test))],
  [...new Set(chosen.map(({ title }) => title))],
)
const problems = chosen.flatMap((defence) => {
  const named = untouched.ran.filter((result) => isOf(defence, result))
  const [result] = named
  if (!result || named.length > 1) return `${named.length} tests: ${defence.title} (${defence.test})`
  return result.status === 'passed'
    ? []
    : `Fails with its defence: ${defence.title}\n${result.failureMessages[0]}`
})
if (problems.length > 0) {
  console.log([...new Set(problems)].join('\n'), untouched.broken)
  process.exit(1)
}
console.log(
  `With every defence in place all ${new Set(chosen.map(({ title }) => title)).size} tests pass (${since(begun)})`,
)

let passed = 0
for (const defence of chosen) {
  const start = performance.now()
  const restore = change(changesOf(defence))
  const { ran, broken } = await runTests([defence.test], [defence.title])
  restore()
  const [result, ...others] = ran
  const reason = result?.failureMessages[0]
  const isSeen = result?.status === 'failed' && others.length === 0 && isOf(defence, result) && !broken
  if (isSeen) passed += 1
  const verdict = isSeen ? 'seen to fail' : result?.status === 'passed' ? 'STILL PASSES' : 'DOES NOT RUN'
  const where = [...new Set(changesOf(defence).map(({ file }) => file))].join(', ')
  console.log(`fault ${defence.fault}: ${verdict} (${since(start)}) without ${where}`)
  if (values.reasons || verdict === 'DOES NOT RUN') console.log(reason ?? broken)
}
const failed = chosen.length - passed
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
