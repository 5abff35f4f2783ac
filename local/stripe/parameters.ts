import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { malformed, missingParameter, type StripeFailure, unmodelled } from './errors.ts'
import type { Form } from './form.ts'
import type { Endpoint, RequestParameters } from './parameter-types.ts'

const ajv = new Ajv({
  coerceTypes: true,
  strict: false,
  verbose: true,
  // These options speed up compilation, which takes much longer than the checks.
  validateSchema: false,
  code: { optimize: false },
})
const compiled = new Map<Endpoint, ValidateFunction>()
let schemas: Record<Endpoint, object> | undefined

function validatorOf(endpoint: Endpoint): ValidateFunction {
  schemas ??= JSON.parse(readFileSync(join(import.meta.dirname, 'parameters.schema.json'), 'utf8')) as Record<
    Endpoint,
    object
  >
  let validate = compiled.get(endpoint)
  if (!validate) compiled.set(endpoint, (validate = ajv.compile(schemas[endpoint])))
  return validate
}

interface Readable<P> {
  /** Names each of its properties, none of them enumerable: a handler that copies them all has read none. */
  params: P
  /**
   * To be called once the handler has read what it acts upon, in the same transaction.
   * @throws StripeFailure 501 that names a parameter which nothing has read
   */
  requireAllRead(): void
}

/**
 * Checks an endpoint's parameters against the `stripe` package's types, converts text into the numbers and booleans of
 * those types, and notes which of them are read. What Stripe would act upon and no handler has read is not modelled. So a
 * handler reads what it models also if a branch does not need it, and before it looks into a list that may be empty.
 * @throws StripeFailure 400 that names the parameter, as at Stripe
 */
export function readParameters<E extends Endpoint>(endpoint: E, form: Form): Readable<RequestParameters[E]> {
  const validate = validatorOf(endpoint)
  if (!validate(form)) throw explained(validate.errors ?? [])
  const unread = new Map<string, unknown>()
  return {
    params: watched(form, unread) as RequestParameters[E],
    requireAllRead() {
      for (const [name, value] of unread)
        throw unmodelled(`\`${name}=${String(value).slice(0, 80)}\` of ${endpoint} in this case`)
    },
  }
}

/** Copies a record so that reading a value removes its name, `items[0][price]`, from those that are unread. */
function watched(record: object, unread: Map<string, unknown>, path: readonly string[] = []): object {
  const copy = {}
  for (const [key, value] of Object.entries(record) as [string, unknown][]) {
    const at = [...path, key]
    // Metadata has names of its own, and is read as a whole, like a list of text.
    if (key !== 'metadata' && isNested(value)) {
      Object.defineProperty(copy, key, { value: nestedCopy(value, unread, at) })
    } else {
      unread.set(nested(at), value)
      Object.defineProperty(copy, key, {
        get() {
          unread.delete(nested(at))
          return value
        },
      })
    }
  }
  return copy
}

const nestedCopy = (value: object, unread: Map<string, unknown>, path: readonly string[]): object =>
  Array.isArray(value)
    ? value.map((one: object, index) => watched(one, unread, [...path, String(index)]))
    : watched(value, unread, path)

/** Whether a value is a record or a list of records. */
const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || typeof value[0] === 'object')

/**
 * Reads a parameter of which the stand-in knows these values alone.
 * @throws StripeFailure 501 if it has another one
 */
export function requireModelled<V>(name: string, value: V, ...modelled: readonly NonNullable<V>[]): void {
  if (value === undefined || modelled.some((one) => one === value)) return
  throw unmodelled(`\`${name}=${String(value)}\``)
}

function explained(errors: readonly ErrorObject[]): StripeFailure {
  const error = errors.find((one) => one.keyword === 'additionalProperties') ?? errors[0]
  const at = error?.instancePath.split('/').slice(1) ?? []
  const found = error?.params ?? {}
  if (error?.keyword === 'additionalProperties') {
    const param = nested([...at, String(found.additionalProperty)])
    return malformed(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  if (error?.keyword === 'required') {
    const param = nested([...at, String(found.missingProperty)])
    return missingParameter(param)
  }
  const param = nested(at)
  if (error?.keyword === 'enum') {
    const allowed = (found.allowedValues as string[]).join(', ')
    return malformed(`Invalid ${param}: must be one of ${allowed}`, { param })
  }
  if (found.type === 'number' && typeof error?.data === 'string') {
    return malformed(`Invalid integer: ${error.data}`, { code: 'parameter_invalid_integer', param })
  }
  return malformed(`Invalid ${String(found.type ?? 'value')}: ${param}`, { param })
}

/** Formats a path as `items[0][price]`. */
const nested = (path: readonly string[]): string =>
  path.map((name, depth) => (depth ? `[${name}]` : name)).join('')
