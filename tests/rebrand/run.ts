import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localEnvironment } from '../../local/environment.ts'
import { writeIdentity } from '../../setup/identity.ts'
import { scratchCopy } from '../support/scratch.ts'

/** The places of a rebrand (docs/rebrand.md), each with what the check changes there. */
const places: Record<string, (text: string) => string> = {
  'src/site.ts': (text) =>
    text
      .replaceAll('Deskbell', 'Night & Co')
      .replaceAll('deskbell.example', 'night.example')
      .replaceAll('deskbell', 'night')
      .replace('1 Example Street', '7 Harbour Lane')
      .replace('00000 Example City', '2100 Copenhagen'),
  'src/features/plans/domain/plans.ts': (text) =>
    text
      .replace("'USD'", "'EUR'")
      .replace(/priceCents: \d[\d_]*/g, (price) => `priceCents: ${Number(price.replace(/\D/g, '')) + 37_00}`)
      .replace("name: 'Starter'", "name: 'Solo'")
      .replace("name: 'Growth'", "name: 'Duet'")
      .replace("name: 'Pro'", "name: 'Quartet'")
      .replace("name: 'Enterprise'", "name: 'Orchestra'"),
  'src/styles/tokens.css': (text) =>
    text.replace(/(--color-(?:paper|signal|lamp|ink): #)([0-9a-f]{6})/g, (_, name: string, value: string) => {
      const [red, green, blue] = [0, 2, 4].map((at) => value.slice(at, at + 2))
      return `${name}${blue}${red}${green}`
    }),
  'src/components/mark.svg': () =>
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect class="fi" x="4" y="4" width="24" height="24"/><circle class="fs" cx="16" cy="16" r="6"/></svg>\n',
}

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
    for (const [file, change] of Object.entries(places)) {
      const text = readFileSync(join(folder, file), 'utf8')
      const changed = change(text)
      if (changed === text) return [`${file} did not change`]
      writeFileSync(join(folder, file), changed)
    }
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
  for (const file of Object.keys(places)) console.log(`  ${file}`)
  console.log('npm run rebrand -- --check tries it out in a copy.')
} else {
  const problems = await check()
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'Nothing of the old brand is left.' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
