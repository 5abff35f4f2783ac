import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import { readJson, Refusal } from './errors.ts'
import type { Fields } from './state.ts'

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  discriminator: true,
  formats: { uri: (text) => URL.canParse(text), 'date-time': (text) => !Number.isNaN(Date.parse(text)) },
})
ajv.addSchema({
  $id: 'vapi',
  definitions: JSON.parse(readFileSync(join(import.meta.dirname, 'vapi.schema.json'), 'utf8')) as object,
})

const wordsOf = ({ instancePath, message, params }: ErrorObject): string => {
  const { additionalProperty } = params as { additionalProperty?: string }
  return [instancePath.slice(1).replaceAll('/', '.') || 'body', message, additionalProperty]
    .filter(Boolean)
    .join(' ')
}

/** Returns what of a body is not as Vapi's OpenAPI says (generate-schema.ts). */
export function problemsOf(definition: string, body: unknown): string[] {
  const isValid = ajv.getSchema(`vapi#/definitions/${definition}`)
  if (!isValid) throw new Error(`vapi.schema.json has no ${definition}.`)
  return isValid(body) ? [] : (isValid.errors ?? []).map(wordsOf)
}

/**
 * Reads the body of a request to Vapi's API. Null takes a value away, which the OpenAPI does not say.
 * @param kept what the body has besides the definition
 * @throws Refusal
 */
export async function readVapi(request: Request, definition: string, ...kept: string[]): Promise<Fields> {
  const body = (await readJson(request)) as Fields
  const values = Object.entries(body).filter(([name, value]) => value !== null && !kept.includes(name))
  const problems = problemsOf(definition, Object.fromEntries(values))
  if (problems.length > 0) throw new Refusal(400, ...problems)
  return body
}
