import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'supabase/schemas'
const files = readdirSync(folder).toSorted()
const text = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')

test('each object of supabase/schemas is defined once; what replaces or changes one is in a migration', () => {
  const statements = text.match(/^(create or replace|drop|alter) [^;]*;/gim) ?? []
  const closing = /^alter (default privileges [^;]*|table [\w.]+ enable row level security);$/
  // The other table is in a later file.
  const reference = /^alter table [\w.]+\s+add foreign key \([^;]*;$/
  expect(statements.filter((each) => !closing.test(each) && !reference.test(each))).toEqual([])
})

test('no two functions of supabase/schemas have one name', () => {
  const names = [...text.matchAll(/^create function ([\w.]+)/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
