import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeConfig } from './functions.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'deskbell-functions-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns what becomes of a bundled function. */
async function restated(name: string, code: string): Promise<string> {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, code)
  await writeConfig(file)
  return readFileSync(file, 'utf8')
}

test.each(['config$1', '$', 'a$b', 'x'])(
  'a config that the bundler has named %s is written as a literal',
  async (name) => {
    const code = `const ${name}={schedule:"*/5 * * * *"},f=()=>({});export{${name} as config,f as default};\n`
    expect(await restated(`named-${name.length}-${name.codePointAt(0)}`, code)).toBe(
      `const ${name}={schedule:"*/5 * * * *"},f=()=>({});export{f as default};\nexport const config = {"schedule":"*/5 * * * *"};\n`,
    )
  },
)

test('a function without a config stays as it is', async () => {
  const code = 'const f=()=>({});export{f as default};\n'
  expect(await restated('plain', code)).toBe(code)
})

test('a bundle of another form is refused', async () => {
  await expect(
    restated('inline', 'export const config={path:"/x"};export default ()=>({});\n'),
  ).rejects.toThrow('does not end with its exports')
})

test('the table of docs/deploy.md says when each scheduled function runs', () => {
  const inWords: Record<string, string> = {
    '* * * * *': 'every minute',
    '*/5 * * * *': 'every five minutes',
    '*/10 * * * *': 'every ten minutes',
    '@hourly': 'every hour',
  }
  const scheduled = globSync('functions/*.ts').flatMap((file) => {
    const [, schedule] = /schedule: '([^']+)'/.exec(readFileSync(file, 'utf8')) ?? []
    return schedule ? [[basename(file, '.ts'), inWords[schedule]]] : []
  })
  const rows = [
    ...readFileSync('docs/deploy.md', 'utf8').matchAll(/^\| `([a-z-]+)` +\| (every [a-z ]+?) +\|/gm),
  ]
  expect(Object.fromEntries(rows.map(([, name, when]) => [name, when]))).toEqual(
    Object.fromEntries(scheduled),
  )
})
