import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  readSchema,
  type DatabaseFunction,
  type Payload,
  type Schema,
} from '../../local/supabase/schema-introspection.ts'
import { exampleOf, type Fields, type Json } from '../support/payloads.ts'
import { startTestSupabase, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
let schema: Schema
beforeAll(async () => {
  db = await startTestSupabase()
  schema = await readSchema(db.supabase.query)
})
afterAll(() => db.close())

const payloadOf = (name: string): Payload | undefined => schema.payloads.find((each) => each.name === name)

const example = (type: string): Json => exampleOf(schema, type)

/** Returns a payload without each key, and with each key misspelt, as far down as it has keys; each with what is wrong. */
function broken(whole: Json, type: string): { payload: Json; wrong: string }[] {
  const payload = payloadOf(type.replace(/^_|\[\]$/g, ''))
  if (!payload) return []
  if (Array.isArray(whole))
    return broken(whole[0]!, payload.name).map((each) => ({ ...each, payload: [each.payload] }))
  const fields = whole as Fields
  return payload.keys.flatMap(({ name, type: inner, comment }) => {
    const { [name]: value, ...others } = fields
    return [
      ...(comment === null ? [{ payload: others, wrong: `missing ${name}` }] : []),
      { payload: { ...others, [`${name}x`]: value! }, wrong: `unknown ${name}x` },
      ...broken(value!, inner).map((each) => ({ ...each, payload: { ...fields, [name]: each.payload } })),
    ]
  })
}

/** Calls the function with this payload, and an example of each other argument; undoes what it does. */
async function refusal({ name, args, payloads }: DatabaseFunction, payload: Json): Promise<string> {
  const given = args.map((arg) =>
    arg.name === payloads[0]?.arg ? JSON.stringify(payload) : example(arg.type),
  )
  const list = args.map((arg, at) => `${arg.name} => $${at + 1}::${arg.type}`).join(', ')
  try {
    await db.supabase.query(`select public.${name}(${list})`, given)
    return ''
  } catch (error) {
    return String(error)
  }
}

test('each jsonb argument has a type by which the function checks it', () => {
  const unchecked = schema.functions.flatMap(({ name, args, payloads }) =>
    args
      .filter(({ type, name: arg }) => type === 'jsonb' && !payloads.some((each) => each.arg === arg))
      .map((arg) => `${name}: ${arg.name}`),
  )
  expect(unchecked).toEqual([])
  expect(schema.payloads.filter(({ name }) => !name.endsWith('_payload'))).toEqual([])
})

test('a payload with a missing or a misspelt key is refused by name, and a whole one is not', async () => {
  let count = 0
  for (const each of schema.functions.filter(({ payloads }) => payloads.length > 0)) {
    const { type } = each.payloads[0]!
    const whole = example(type)
    expect(await refusal(each, whole), each.name).not.toMatch(/_payload: (missing|unknown)/)
    for (const { payload, wrong } of broken(whole, type)) {
      expect(await refusal(each, payload), `${each.name}: ${wrong}`).toMatch(
        new RegExp(`_payload: .*${wrong}\\b`),
      )
      count += 1
    }
  }
  expect(count).toBeGreaterThan(200)
})

test('the payload of a job with a missing or a misspelt key is refused by name, and a whole one is not', async () => {
  const kinds = await db.supabase.query<{ kind: string; payload: string | null }>(
    'select kind, payload from private.job_kinds',
  )
  const enqueue = (kind: string, payload: Json) =>
    db.supabase
      .query(`select private.enqueue($1, 'key', p_payload => $2)`, [kind, JSON.stringify(payload)])
      .then(() => '', String)
  let count = 0
  for (const { kind, payload: type } of kinds) {
    if (type === null) {
      expect(await enqueue(kind, {}), kind).toContain('has no payload')
      continue
    }
    const name = type.replace('private.', '')
    const whole = example(name)
    expect(await enqueue(kind, whole), kind).toBe('')
    for (const { payload, wrong } of broken(whole, name)) {
      expect(await enqueue(kind, payload), `${kind}: ${wrong}`).toMatch(new RegExp(`_payload: .*${wrong}\\b`))
      count += 1
    }
  }
  expect(count).toBeGreaterThan(10)
})
