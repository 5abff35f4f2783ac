import { spawn } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
// The copy makes its databases from the schemas, where each object is once: a migration may replace what an earlier one has made.
rmSync(join(folder, 'supabase/migrations'), { recursive: true })
symlinkSync('schemas', join(folder, 'supabase/migrations'), 'junction')
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

/** The project of a test's file. Some files of `integration` are in `embedded` too. */
const projectOf = ({ test }: Defence): string => (test.startsWith('tests/') ? test.split('/')[1]! : 'unit')

/**
 * Runs the tests of these defences, all in one project.
 * @returns the tests that ran, and the error if a file could not run
 */
async function runTests(
  project: string,
  defences: readonly Defence[],
): Promise<{ ran: (Result & { file: string })[]; broken: string }> {
  const output = join(folder, 'report.json')
  rmSync(output, { force: true })
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    ...new Set(defences.map(({ test }) => test)),
    '-t',
    [...new Set(defences.map(({ title }) => escaped(title)))].join('|'),
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
  for (const [file, find, replace] of changes) {
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

const isOf = ({ test, title }: Defence, { file, fullName }: { file: string; fullName: string }) =>
  file === test && fullName.includes(title)
const since = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`

for (const { changes } of chosen) change(changes)()

const begun = performance.now()
const sound: Defence[] = []
for (const [project, defences = []] of Object.entries(Object.groupBy(chosen, projectOf))) {
  const { ran, broken } = await runTests(project, defences)
  for (const defence of defences) {
    const [result, ...others] = ran.filter((each) => isOf(defence, each))
    if (result?.status === 'passed' && others.length === 0) sound.push(defence)
    else if (result?.status === 'failed')
      console.log(`FAILS WITH ITS DEFENCE: ${defence.title}\n${result.failureMessages[0]}`)
    else
      console.log(`${others.length + (result ? 1 : 0)} TESTS: ${defence.title} (${defence.test})\n${broken}`)
  }
}
console.log(
  `With every defence in place the tests of ${sound.length} of ${chosen.length} entries pass (${since(begun)})`,
)

let passed = 0
for (const defence of sound) {
  const start = performance.now()
  const restore = change(defence.changes)
  const { ran, broken } = await runTests(projectOf(defence), [defence])
  restore()
  const [result, ...others] = ran
  const reason = result?.failureMessages[0]
  const isSeen = result?.status === 'failed' && others.length === 0 && isOf(defence, result) && !broken
  if (isSeen) passed += 1
  const verdict = isSeen ? 'seen to fail' : result?.status === 'passed' ? 'STILL PASSES' : 'DOES NOT RUN'
  const where = [...new Set(defence.changes.map(([file]) => file))].join(', ')
  console.log(`fault ${defence.fault}: ${verdict} (${since(start)}) without ${where}`)
  if (values.reasons || verdict === 'DOES NOT RUN') console.log(reason ?? broken)
}
const failed = chosen.length - passed
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
