import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What `parameters.schema.json` is generated from, and the schema itself. */
const inputs = [
  'local/stripe/parameter-types.ts',
  'local/stripe/generate-parameters.ts',
  'local/stripe/parameters.schema.json',
  'tsconfig.json',
  'node_modules/stripe/package.json',
  'node_modules/ts-json-schema-generator/package.json',
  'node_modules/typescript/package.json',
]

/** Where the generator leaves the hash of the inputs that it has read. */
export const hashFile = join(root, 'local/stripe/parameters.hash')

/** Names the state of the inputs; a package counts with the file that says its version. */
export async function parametersHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const input of inputs) hash.update(`${input}\n`).update(await readFile(join(root, input)))
  return `${hash.digest('hex')}\n`
}
