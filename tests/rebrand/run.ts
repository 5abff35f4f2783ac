import { spawn } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { localEnvironment } from '../../local/environment.ts'
import { writeIdentity } from '../../setup/identity.ts'
import { scratchCopy } from '../support/scratch.ts'
import { rebrand, rebrandedFiles } from './places.ts'

/** What must not be found in the built site any more. */
const traces: readonly RegExp[] = [
  /deskbell(?!\.(?:test|ts))/i,
  /Example Street/,
  /"USD"/,
  /\b(Starter|Growth|Enterprise)\b/,
  /\bPro\b/,
  /f5450f|f0f0ec/i,
  /M3 19a10 10/,
]

/** Code has such regular expressions and templates. */
const tracesInText: readonly RegExp[] = [/\$\d/, /US dollars/]

/** The first port of the copy's tests: not those of a site that runs here, nor of this checkout's tests. */
const port = 4370

function run(
  folder: string,
  script: string[],
  more: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(process.execPath, script, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...more },
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (output += String(chunk)))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Builds without an address of this machine's services that has the old name. */
const building = {
  ...localEnvironment({ port, given: { PUBLIC_ADMIN_EMAIL: 'owner@night.example' } }),
  SUPABASE_SECRET_KEY: '',
}

/** Returns what of the old brand is left in the built site: file and text. */
function remains(dist: string): string[] {
  return globSync('**/*.{html,js,css,txt,xml,json,svg,webmanifest}', { cwd: dist }).flatMap((file) => {
    const text = readFileSync(join(dist, file), 'utf8')
    const sought = /\.js$/.test(file) ? traces : [...traces, ...tracesInText]
    return sought.flatMap((trace) => {
      const { index } = trace.exec(text) ?? {}
      return index === undefined ? [] : [`${file}: …${text.slice(Math.max(0, index - 40), index + 40)}…`]
    })
  })
}

/**
 * `npm run rebrand -- --check`: changes name, address, colours, mark, currency, and the plans' names, prices and minutes in
 * a copy, at the places of docs/rebrand.md and nowhere else, and deletes the test of the specification's figures. It builds
 * the copy, looks for what is left of the old brand, and runs `npm test` there.
 */
async function check(): Promise<string[]> {
  const { folder, remove } = scratchCopy()
  try {
    rebrand(folder)
    rmSync(join(folder, 'tests/specification.test.ts'))
    const written = await run(folder, ['setup/identity.ts'])
    if (written.code !== 0) return [`npm run rebrand failed:\n${written.output}`]
    const build = await run(folder, ['node_modules/astro/bin/astro.mjs', 'build', '--silent'], building)
    if (build.code !== 0) return [`The build failed:\n${build.output}`]
    const left = remains(join(folder, 'dist'))
    const tests = await run(folder, ['tests/run.ts'], { E2E_PORT: String(port) })
    if (tests.code !== 0) left.push(`The tests failed:\n${tests.output}`)
    return left
  } finally {
    remove()
  }
}

if (!process.argv.includes('--check')) {
  await writeIdentity()
  console.log(`A rebrand changes these places, and the texts in content/ (docs/rebrand.md):`)
  for (const file of rebrandedFiles) console.log(`  ${file}`)
  console.log('npm run rebrand -- --check tries it out in a copy.')
} else {
  const problems = await check()
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'Nothing of the old brand is left.' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
