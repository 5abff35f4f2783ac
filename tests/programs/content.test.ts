import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { wholePrice } from '#plans/domain/plans.ts'
import { localEnvironment } from '../../local/environment.ts'
import { centsOf } from '../support/plan-facts.ts'
import { firstPort } from '../support/ports.ts'
import { scratchCopy } from '../support/scratch.ts'

// Two builds in sequence.
vi.setConfig({ testTimeout: 240_000 })

const { folder, remove } = scratchCopy()
afterAll(remove)

const run = promisify(execFile)
const build = () =>
  run(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
    cwd: folder,
    // Without the secret key a build reads only files, no database.
    env: {
      ...process.env,
      ...localEnvironment({ port: firstPort, given: {} }),
      SUPABASE_SECRET_KEY: '',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  })

const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const page = (path: string) => readFileSync(join(folder, 'dist', path, 'index.html'), 'utf8')

test('errors stop the build, which names each file, field and reason', async () => {
  write('content/faq/parking.md', '---\nqestion: Where do I park?\n---\nHere.')
  write('content/faq/pets.md', '---\nquestion: Are pets welcome in {{plan.gold}}?\n---\nYes.')
  write('content/faq/open.md', '---\nquestion: When are you open?\n')
  write('content/faq/loud.MD', '---\nquestion: Is it loud?\n---\nNo.')
  const failure = await build().then(
    () => undefined,
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  const output = `${failure?.stdout}${failure?.stderr}`
  expect(failure?.code).toBe(1)
  expect(output).toContain('content/faq/parking.md')
  expect(output).toContain('qestion: is not a field that this file may have. Is it misspelt?')
  expect(output).toContain('content/faq/pets.md')
  expect(output).toContain('question: {{plan.gold}} stands for nothing.')
  expect(output).toContain('front matter: has no second line of dashes.')
  expect(output).toContain('file name: must end with .md')
  expect(output, 'no stack trace').not.toMatch(/^\s+at |Stack trace|node_modules/m)
  for (const name of ['open.md', 'loud.MD']) rmSync(join(folder, 'content/faq', name))
})

test('a new file adds a page, and a change of the catalogue appears on existing pages', async () => {
  const bakery = readFileSync('content/industries/retail-ecommerce.md', 'utf8')
  write('content/faq/pets.md', '---\nquestion: Are pets welcome?\n---\nYes.')
  write(
    'content/faq/parking.md',
    '---\nquestion: Where do I park?\n---\nFor {{plan.starter.price}}, anywhere.',
  )
  write('content/industries/bakeries.md', bakery.replace(/^name: .*/m, 'name: Bakeries'))
  const dearer = centsOf('starter') + 23_00
  const catalogue = readFileSync('src/features/plans/domain/plans.ts', 'utf8')
  write(
    'src/features/plans/domain/plans.ts',
    catalogue.replace(/priceCents: [\d_]+/, `priceCents: ${dearer}`),
  )
  const { stdout, stderr } = await build()
  expect(`${stdout}${stderr}`, 'no warning of an empty collection').not.toMatch(/does not exist or is empty/)
  expect(page('industries/bakeries')).toContain('<title>Bakeries Solutions</title>')
  expect(page('industries')).toContain('href="/industries/bakeries"')
  expect(page('faq')).toMatch(
    new RegExp(`id="parking"[^]*${RegExp.escape(`For ${wholePrice(dearer)}, anywhere.`)}`),
  )
  expect(page('pricing')).toContain(wholePrice(dearer))
})
