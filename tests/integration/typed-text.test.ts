import { expect, test } from 'vitest'
import { knowledgeLimits, noKnowledge, parseKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { isVisible } from '#platform/domain/text/typed-text.ts'
import { signedInAdmin } from '../support/admin.ts'
import { dogs, telephonyIn } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { buyer, customer, update } = telephonyIn(world)

/** PostgreSQL's codes for a value that a constraint refuses, and for one that is missing. */
const refused = '23514'
const missing = '23502'

const full = (length: number): string => 'x'.repeat(length)
const times = <Entry>(most: number, entry: Entry): Entry[] => Array<Entry>(most).fill(entry)
const holiday = { date: '2026-12-24', name: full(knowledgeLimits.name), blocks: [] }
const service = { name: full(knowledgeLimits.name), price: full(knowledgeLimits.name), minutes: 60 }
const entry = { ...dogs, question: full(knowledgeLimits.question), answer: full(knowledgeLimits.answer) }
/** All that an agent can know, each part as long as it may be. */
const everything = {
  ...noKnowledge,
  about: full(knowledgeLimits.about),
  address: full(knowledgeLimits.address),
  holidays: times(knowledgeLimits.holidays, holiday),
  services: times(knowledgeLimits.services, service),
  answers: times(knowledgeLimits.answers, entry),
  bookings: full(knowledgeLimits.instruction),
  complaints: full(knowledgeLimits.instruction),
  emergencies: full(knowledgeLimits.instruction),
}

test('171. What fits on the page fits into the database, and what is one character longer does not', async () => {
  const { client, id } = await buyer()
  const save = async (knowledge: object) =>
    (await client.from('agent_knowledge').upsert({ user_id: id, knowledge: { ...everything, ...knowledge } }))
      .error?.code
  expect(await save({})).toBeUndefined()
  const { data } = await client.from('agent_knowledge').select('knowledge').single().throwOnError()
  expect(parseKnowledge(data.knowledge)).toEqual(everything)

  for (const name of ['about', 'address', 'bookings', 'complaints', 'emergencies'] as const)
    expect(await save({ [name]: `${everything[name]}x` }), name).toBe(refused)
  for (const list of ['holidays', 'services', 'answers'] as const)
    expect(await save({ [list]: [...everything[list], everything[list][0]] }), list).toBe(refused)
  for (const [list, name] of [
    ['holidays', 'name'],
    ['services', 'name'],
    ['services', 'price'],
    ['answers', 'question'],
    ['answers', 'answer'],
  ] as const) {
    const longer = { ...everything[list][0], [name]: full(knowledgeLimits.answer + 1) }
    expect(await save({ [list]: [longer] }), `${list}, ${name}`).toBe(refused)
  }
  expect(await save({ answers: [{ ...dogs, question: '\u200b' }] })).toBe(refused)
  expect(await save({ answers: [{ ...dogs, question: ' ' }] })).toBeUndefined()
})

test('172. A name or a question that shows nothing, or a name with a template, is refused', async () => {
  const person = await customer({ plan: 'pro' })
  await update(person)
  const { client } = person
  const admin = await signedInAdmin(world)
  const settings = async (columns: object) =>
    (await client.from('agent_settings').upsert({ user_id: person.id, ...columns })).error?.code
  const nothing = ['\u200b\u200d\u2060', ' \u00ad ', '\u3164', '\u2800\u00a0', '\u{e0041}']
  for (const name of nothing) {
    expect(isVisible(name), JSON.stringify(name)).toBe(false)
    expect(await settings({ business_name: name }), JSON.stringify(name)).toBe(refused)
    expect(await settings({ greeting: name })).toBe(refused)
    expect((await client.rpc('ask_for_agent', { p_name: name })).error?.code).toBe(missing)
    expect((await client.rpc('create_api_key', { p_kind: 'api', p_name: name })).error?.code).toBe(refused)
    for (const texts of [
      { question: name, answer: 'Yes.' },
      { question: 'Is there a trial?', answer: name },
    ])
      expect((await admin.client.from('faqs').insert({ id: 'f1', ...texts })).error?.code).toBe(refused)
  }
  for (const name of ['{{this_call}}', '{% if x %}', 'Hotel }']) {
    expect(await settings({ business_name: name }), name).toBe(refused)
    expect((await client.rpc('ask_for_agent', { p_name: name })).error?.code, name).toBe(refused)
  }
  for (const name of ['Åsa & Søn', 'ホテル 東京', 'فندق', '🐕‍🦺', '日', '#1'])
    expect(await settings({ business_name: name }), name).toBeUndefined()
})

test('172. The database takes every character that the page takes', async () => {
  const visible = Array.from({ length: 0x20000 }, (_, code) => code)
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .filter((code) => isVisible(String.fromCodePoint(code)))
  expect(visible.length).toBeGreaterThan(100_000)
  const unlike = await world.sql(
    'select c from unnest($1::integer[]) as c where not private.is_visible(chr(c))',
    [visible],
  )
  expect(unlike).toEqual([])
})
