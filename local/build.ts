import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const inputs = [
  'src/**/*',
  'content/**/*',
  'public/**/*',
  'supabase/types.ts',
  'astro.config.mjs',
  'package-lock.json',
]
const stamp = join('node_modules', '.cache', 'deskbell', 'build')

/** Returns a hash of everything that a build depends on: the files, and the variables that reach the browser. */
export async function fingerprint(environment: Record<string, string>): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const entry of glob(inputs, { withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  }
  for (const file of files.sort()) hash.update(file).update(await readFile(file))
  for (const name of Object.keys(environment).sort()) {
    if (name.startsWith('PUBLIC_')) hash.update(`${name}=${environment[name]}\n`)
  }
  // The portal admits the sources of calls only if there are calls.
  hash.update(`has calls: ${Boolean(environment.VAPI_API_KEY)}`)
  return hash.digest('hex')
}

/**
 * Builds `dist/` unless it was built from the present files and this environment. Rows of a database are left out: they
 * are published, and kept next to the database (publication.ts).
 * @returns whether it built
 * @throws Error with the output of the build
 */
export async function buildIfStale(
  environment: Record<string, string>,
  beforeBuild: () => void,
): Promise<boolean> {
  const wanted = await fingerprint(environment)
  const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (built === wanted && existsSync('dist/index.html')) return false
  beforeBuild()
  // A build that fails halfway leaves an incomplete dist/, so the old stamp must not vouch for it.
  rmSync(stamp, { force: true })
  await build('dist', { ...environment, SUPABASE_SECRET_KEY: '' })
  mkdirSync(join(stamp, '..'), { recursive: true })
  writeFileSync(stamp, wanted)
  return true
}

/** @throws Error with the output of the build */
export const build = (outDir: string, environment: Record<string, string>): Promise<void> =>
  run('setup/build.ts', ['--silent', '--outDir', outDir], environment)

function run(script: string, args: string[], environment: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...process.env, ...environment, ASTRO_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`The build failed:\n${Buffer.concat(output).toString('utf8')}`)),
    )
  })
}
