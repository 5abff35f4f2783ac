import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
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

function run(folder: string, script: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(process.execPath, script, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...localEnvironment({ port: 4390, given: { PUBLIC_ADMIN_EMAIL: 'owner@night.example' } }),
        SUPABASE_SECRET_KEY: '',
        ASTRO_TELEMETRY_DISABLED: '1',
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (output += String(chunk)))
    child.once('close', (code) => resolve({ code, output }))
  })
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
 * `npm run rebrand -- --check`: changes name, address, colours, mark, currency, prices and names of plans in a copy, at the
 * places of docs/rebrand.md and nowhere else, builds it, looks for what is left of the old brand, and runs the unit tests.
 */
async function check(): Promise<string[]> {
  const { folder, remove } = scratchCopy()
  try {
    rebrand(folder)
    const written = await run(folder, ['setup/identity.ts'])
    if (written.code !== 0) return [`npm run rebrand failed:\n${written.output}`]
    const build = await run(folder, ['node_modules/astro/bin/astro.mjs', 'build', '--silent'])
    if (build.code !== 0) return [`The build failed:\n${build.output}`]
    const left = remains(join(folder, 'dist'))
    const tests = await run(folder, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'])
    if (tests.code !== 0) left.push(`The unit tests failed:\n${tests.output}`)
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
