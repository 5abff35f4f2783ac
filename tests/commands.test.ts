import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pathOf } from './defences/defences.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const rows = read('CONTRIBUTING.md')
  .split('\n')
  .filter((line) => /^\| `npm /.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))

/** The scripts of the first cell: `npm run a`, `b`, `c`. */
const scriptsOf = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replace(/^npm (run )?/, ''))

test('CONTRIBUTING.md says of each command what runs it', () => {
  const told = rows.flatMap(([command = '']) => scriptsOf(command))
  // npm runs it before an installation.
  expect(told.sort()).toEqual(
    Object.keys(scripts)
      .filter((name) => name !== 'preinstall')
      .sort(),
  )
  for (const [, , runBy] of rows) expect(runBy).toMatch(/npm test|every push|nightly|release|you/)
})

test('the workflows run what CONTRIBUTING.md says, and nothing else', () => {
  for (const when of ['nightly', 'release']) {
    const wanted = rows
      .filter(([, , runBy]) => runBy?.includes(when))
      .flatMap(([command = '']) => scriptsOf(command))
    const run = [...read(`.github/workflows/${when}.yml`).matchAll(/- npm run ([\w:]+)/g)].map(
      ([, name]) => name,
    )
    expect([...new Set(run)].sort()).toEqual(wanted.sort())
  }
})

test('each command that the documents and workflows name exists', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...globSync(['docs/**/*.md', '.github/**/*.yml']),
  ]
  const missing = files.flatMap((file) =>
    [...read(file).matchAll(/npm run ([\w:]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in scripts))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('each path that the documents name exists', () => {
  // Editors' example names files of content/ that nobody has written.
  const isPath = /^(#|\.github\/|docs\/|functions\/|local\/|public\/|setup\/|src\/|supabase\/|tests\/)/
  const missing = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')].flatMap((file) =>
    [...read(file).matchAll(/`([\w#@.-]+\/[\w@./-]*)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => isPath.test(path) && !existsSync(pathOf(path)))
      .map((path) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('each link of the documents leads to a file, and to a heading in it', () => {
  // As GitHub makes them.
  const anchorsOf = (file: string): string[] =>
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const dead = globSync(['*.md', 'docs/**/*.md']).flatMap((file) =>
    [...read(file).matchAll(/\]\((?!\w+:|\/)([^)#\s]*)#?([^)\s]*)\)/g)]
      .filter(([, path, anchor]) => {
        const target = path ? join(dirname(file), path) : file
        return !existsSync(target) || (anchor && !anchorsOf(target).includes(anchor))
      })
      .map(([link]) => `${file}: ${link}`),
  )
  expect(dead).toEqual([])
})
