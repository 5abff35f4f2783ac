import { malformed } from './errors.ts'

/** The greatest depth of a parameter; Stripe's are less deep. */
const deepest = 12

/** A decoded parameter: text, or nested lists and records of text. */
type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

const empty = (): Form => Object.create(null) as Form

/**
 * Decodes Stripe's form encoding: `items[0][price]=a&expand[]=b`. Names such as `__proto__` have no special meaning.
 * @throws StripeFailure 400 if a name is nested too deep
 */
export function decodeForm(text: string): Form {
  const root = empty()
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    if (path.length > deepest) throw malformed('Invalid parameter: nested too deeply.')
    let node = root
    path.forEach((given, depth) => {
      const key = given === '' ? String(Object.keys(node).length) : given
      if (depth === path.length - 1) node[key] = value
      else {
        const next = node[key]
        node = typeof next === 'object' && !Array.isArray(next) ? next : (node[key] = empty())
      }
    })
  }
  for (const key of Object.keys(root)) root[key] = withLists(root[key] ?? '')
  return root
}

/** Converts records with the names 0, 1, 2 … into lists. */
function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const names = Object.keys(value)
  for (const name of names) value[name] = withLists(value[name] ?? '')
  const isList = names.length > 0 && names.every((name, index) => name === String(index))
  return isList ? names.map((name) => value[name] ?? '') : value
}
