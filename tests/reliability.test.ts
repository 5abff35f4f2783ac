import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defences, pathOf } from './defences/defences.ts'

const rows = readFileSync('docs/reliability.md', 'utf8')
  .split('\n## ')
  .flatMap((section) => {
    const folder = section.startsWith('In the database') ? 'tests/postgres' : 'tests/integration/reliability'
    const paths = (cell: string) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, written = '']) =>
        /[./]/.test(written) ? pathOf(written) : `${folder}/${written}.test.ts`,
      )
    const lines = section.matchAll(/^\| (\d+) .*\|([^|]*)\|([^|]*)\|$/gm)
    return [...lines].map(([, fault, where = '', shownBy = '']) => ({
      fault: Number(fault),
      sources: paths(where).filter((path) => !/^\w+\.sql$/.test(path)),
      tests: paths(shownBy),
    }))
  })

test('each fault of docs/reliability.md has its own number and a defence in defences.ts', () => {
  const faults = rows.map(({ fault }) => fault)
  expect(faults.length).toBeGreaterThan(100)
  expect(new Set(faults).size).toBe(faults.length)
  expect(new Set(defences.map(({ fault }) => fault))).toEqual(new Set(faults))
})

test('each path that docs/reliability.md names exists', () => {
  const paths = rows.flatMap(({ sources, tests }) => [...sources, ...tests])
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

test('the tests that show a fault’s defence are those that its row in docs/reliability.md names', () => {
  const unnamed = defences.filter(
    ({ fault, test }) => !rows.find((row) => row.fault === fault)?.tests.includes(test),
  )
  expect(unnamed.map(({ fault, test }) => `${fault}: ${test}`)).toEqual([])
})

test('each text that a defence replaces occurs exactly once in its file', () => {
  const changes = defences.flatMap(({ fault, changes }) => changes.map((change) => ({ fault, change })))
  const stale = changes.filter(
    ({ change: [file, find] }) => readFileSync(file, 'utf8').split(find).length !== 2,
  )
  expect(stale.map(({ fault, change: [file, find] }) => `fault ${fault}, ${file}: ${find}`)).toEqual([])
})
