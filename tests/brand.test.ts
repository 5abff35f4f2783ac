import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plans } from '#plans/domain/plans.ts'
import { site } from '#site'
import { identity } from '../setup/identity.ts'

const places = ['src/site.ts', 'src/features/plans/domain/plans.ts']
const sources = globSync(['src/**/*.{ts,tsx,astro,css}', 'functions/*.ts', 'content/**/*.md'])
  .filter((file) => !file.endsWith('.test.ts') && !places.includes(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') }))

/** Steps of the build, whose names and caches no visitor sees. */
const isOfTheBuild = (file: string): boolean => file.startsWith('src/integrations/')

const found = (pattern: RegExp, isAllowed: (file: string) => boolean = () => false): string[] =>
  sources.filter(({ file, text }) => pattern.test(text) && !isAllowed(file)).map(({ file }) => file)

test('no source names the brand: all read it from src/site.ts (npm run rebrand -- --check builds another one)', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect(found(new RegExp(site.name, 'i'), isOfTheBuild)).toEqual([])
})

test('no source names a plan: all read it from the catalogue', () => {
  const names = plans.map(({ name }) => name).join('|')
  expect(found(new RegExp(`\\b(${names})\\b`))).toEqual([])
})

test('no source writes a price or names the currency: all read them from the catalogue', () => {
  expect(found(/\$\d{2,}\b(?!\))|'usd'|'USD'|\bdollars?\b|\^\\\$/i)).toEqual([])
})

test('src/platform/domain/identity.ts has the colours and the mark (else run npm run rebrand)', async () => {
  expect(readFileSync('src/platform/domain/identity.ts', 'utf8')).toBe(await identity())
})

test('no source writes a colour: all read them from the tokens', () => {
  const isGenerated = (file: string) => file === 'src/platform/domain/identity.ts'
  const code = sources.filter(({ file }) => !file.endsWith('.css') && !isGenerated(file))
  expect(code.filter(({ text }) => /['"`:](#[0-9a-f]{6}|#[0-9a-f]{3})\b/i.test(text))).toEqual([])
})
