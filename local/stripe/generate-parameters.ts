import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGenerator } from 'ts-json-schema-generator'
import { hashFile, parametersHash } from './parameters-hash.ts'

/**
 * Generates the JSON Schema of all request parameters from the `stripe` package's own types.
 * As a script it writes `parameters.schema.json`, and the hash of what it was generated from.
 */
function generateParameters(): string {
  const schema = createGenerator({
    path: join(import.meta.dirname, 'parameter-types.ts'),
    tsconfig: join(import.meta.dirname, '../../tsconfig.json'),
    type: 'RequestParameters',
    expose: 'none',
    jsDoc: 'none',
    additionalProperties: false,
    skipTypeCheck: true,
  }).createSchema('RequestParameters')
  const all = schema.definitions?.RequestParameters
  if (typeof all !== 'object' || !all.properties) throw new Error('The generator found no parameters')
  const lines = Object.entries(all.properties).map(
    ([endpoint, parameters]) => `  ${JSON.stringify(endpoint)}: ${JSON.stringify(simplified(parameters))}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

/**
 * Corrects two things that the types do not say directly: the API sends decimals as text, and enumerations that the types
 * leave open for later versions ("any text, or one of these") are closed, as at Stripe.
 */
function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified)
  if (typeof value !== 'object' || value === null) return value
  const node = value as Record<string, unknown>
  if (JSON.stringify(node.properties ?? '').includes('"const":"decimal"') && isDecimal(node)) {
    return { type: 'string' }
  }
  const choices = node.anyOf
  if (Array.isArray(choices) && choices.some(isEnumeration)) {
    const closed = choices.filter((choice) => !isAnyText(choice)).map(simplified)
    return closed.length === 1 ? closed[0] : { ...node, anyOf: closed }
  }
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, simplified(child)]))
}

const isDecimal = (node: Record<string, unknown>): boolean =>
  Object.keys(node.properties as object).every((name) => name.startsWith('__@'))
const isEnumeration = (choice: { enum?: unknown }): boolean => Array.isArray(choice.enum)
const isAnyText = (choice: object): boolean => JSON.stringify(choice) === '{"type":"string"}'

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(join(import.meta.dirname, 'parameters.schema.json'), generateParameters())
  await writeFile(hashFile, await parametersHash())
}
