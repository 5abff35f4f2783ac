import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { runCommand } from './command.ts'

const source = 'functions'

/** Parts of packages that no function uses: subscriptions to rows, tables of files, the reading of received mails. */
const leftOut = ['@supabase/realtime-js', 'iceberg-js', 'postal-mime']
const leftOutModule = resolve('setup/left-out.ts')

/**
 * Turns `const { Name } = await import('package')` into an import of the module. In a single file nothing can be loaded
 * later, and of a module that is imported on use the bundler keeps everything that it imports.
 */
const importsAtOnce: Plugin = {
  name: 'imports-at-once',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: 'await import(' },
    handler(code) {
      const imports: string[] = []
      const rest = code.replace(
        /const \{ (\w+)(?:: (\w+))? \} = await import\(('[^']+')\)/g,
        (_, name: string, alias: string | undefined, from: string) => {
          imports.push(`import { ${name} as ${alias ?? name} } from ${from}`)
          return ''
        },
      )
      return [...imports, rest].join('\n')
    },
  },
}

/** Leaves of the openai package the client and its chat completions: the rest is twice as large, and no function uses it. */
const chatOnly: Plugin = {
  name: 'chat-only',
  enforce: 'pre',
  transform: {
    filter: { id: /\/openai\/client\.mjs$/ },
    handler(code) {
      const left = code
        .replace(/^import [^;]*? from "\.\/resources\/(?!chat\/chat\.mjs)[^"]*";$/gm, '')
        .replace(/^ +this\.(?!chat\b)\w+ = new API\.\w+\(this\);$/gm, '')
        .replace('new API.Chat(', 'new Chat(')
        .replace(/^OpenAI\.(\w+) = (?!Errors\.|_a;|\d|Chat;)[^\n]*$/gm, '')
      if (/\bAPI\.\w/.test(left) || !left.includes('new Chat('))
        throw new Error('openai/client.mjs is built otherwise')
      return left
    },
  },
}

/**
 * Bundles each function into one file, with what it uses of its packages and nothing else. Netlify's own bundler includes
 * whole packages in functions of this kind, so netlify.toml switches it off.
 * @param outDir contains a file for each function afterwards
 */
async function bundleFunctions(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  for (const file of readdirSync(source)) {
    const name = `${basename(file, '.ts')}.mjs`
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [importsAtOnce, chatOnly],
      resolve: { alias: leftOut.map((find) => ({ find, replacement: leftOutModule })) },
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
        rolldownOptions: {
          treeshake: { moduleSideEffects: [{ test: /\/node_modules\/openai\//, sideEffects: false }] },
          output: { entryFileNames: name, codeSplitting: false, minify: true },
        },
      },
    })
    await writeConfig(join(outDir, name))
  }
}

/** Writes a function's `config` as Netlify reads it: from the source, and only if it consists of plain literals. */
export async function writeConfig(file: string): Promise<void> {
  const { config } = (await import(pathToFileURL(resolve(file)).href)) as { config?: unknown }
  if (!config) return
  const code = readFileSync(file, 'utf8')
  const exported = /[\w$]+ as config,(?=[^{}]*\};?\s*$)/
  if (!exported.test(code)) throw new Error(`${file} does not end with its exports`)
  writeFileSync(
    file,
    `${code.replace(exported, '').trimEnd()}\nexport const config = ${JSON.stringify(config)};\n`,
  )
}

/** `node setup/functions.ts`: makes the folder that netlify.toml names, or the one named in its place. */
if (import.meta.main) await runCommand(() => bundleFunctions(process.argv[2] ?? 'dist-functions'))
