import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { malformed, type StripeFailure } from './errors.ts'
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

/**
 * Checks an endpoint's parameters against the `stripe` package's types, and converts text into the numbers and booleans of
 * those types.
 * @throws StripeFailure 400 that names the parameter, as at Stripe
 */
export function readParameters<E extends Endpoint>(endpoint: E, form: Form): RequestParameters[E] {
  const validate = validatorOf(endpoint)
  if (!validate(form)) throw explained(validate.errors ?? [])
  return form as unknown as RequestParameters[E]
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
    return malformed(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
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
