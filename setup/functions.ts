import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { runCommand } from './command.ts'

const source = 'functions'

/**
 * Bundles each function into one file, with what it uses of its packages and nothing else. Netlify's own bundler includes
 * whole packages in functions of this kind, so netlify.toml switches it off.
 * @param outDir contains a file for each function afterwards
 */
export async function bundleFunctions(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  for (const file of readdirSync(source)) {
    const name = `${basename(file, '.ts')}.mjs`
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      ssr: { noExternal: true },
      // Netlify has these while it builds, and the functions report errors of this version and deployment.
      define: Object.fromEntries(
        ['COMMIT_REF', 'CONTEXT'].map((name) => [
          `process.env.${name}`,
          JSON.stringify(process.env[name] ?? ''),
        ]),
      ),
      build: {
        ssr: join(source, file),
        outDir: resolve(outDir),
        emptyOutDir: false,
        target: 'node24',
        rolldownOptions: { output: { entryFileNames: name, codeSplitting: false, minify: true } },
      },
    })
    await restateConfig(join(outDir, name))
  }
}

/** Writes a function's `config` as Netlify reads it: from the source, and only if it consists of plain literals. */
async function restateConfig(file: string): Promise<void> {
  const { config } = (await import(pathToFileURL(resolve(file)).href)) as { config?: unknown }
  if (!config) return
  const code = readFileSync(file, 'utf8')
  const exported = /\w+ as config,(?=[^{}]*\};?\s*$)/
  if (!exported.test(code)) throw new Error(`${file} does not end with its exports`)
  writeFileSync(
    file,
    `${code.replace(exported, '').trimEnd()}\nexport const config = ${JSON.stringify(config)};\n`,
  )
}

/** `node setup/functions.ts`: makes the folder that netlify.toml names. */
if (import.meta.main) await runCommand(() => bundleFunctions('dist-functions'))
