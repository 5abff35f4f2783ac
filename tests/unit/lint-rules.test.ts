import { ESLint } from 'eslint'
import { describe, expect, test } from 'vitest'

// Loading the plug-ins takes seconds on a busy machine.
const options = { timeout: 60_000 }
const eslint = new ESLint()

/** The rules that complain of this text, if it were in that file. */
async function complaints(filePath: string, text: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(text, { filePath })
  return (result?.messages ?? []).map(({ ruleId }) => ruleId)
}
const page = (html: string): string => `---\n---\n\n${html}\n`
const component = (jsx: string): string => `export const Bad = () => ${jsx}\n`

describe('accessibility', () => {
  test.each([
    ['alt-text', page('<img src="/a.png" />'), component('<img src="/a.png" />')],
    ['label-has-associated-control', page('<label>Email</label>'), component('<label>Email</label>')],
    [
      'click-events-have-key-events',
      page('<div role="button" tabindex="0" onclick="go()"></div>'),
      component('<div role="button" tabIndex={0} onClick={() => undefined} />'),
    ],
    ['aria-role', page('<div role="panel"></div>'), component('<div role="panel" />')],
  ])('%s is asked of pages and of islands', options, async (rule, astro, tsx) => {
    expect(await complaints('src/components/Bad.astro', astro)).toContain(`astro/jsx-a11y/${rule}`)
    expect(await complaints('src/islands/Bad.tsx', tsx)).toContain(`jsx-a11y-x/${rule}`)
  })

  test('what is right is let through', options, async () => {
    const good = '<label>Email <input type="email" /></label>'
    expect(await complaints('src/components/Good.astro', page(good))).toEqual([])
    expect(await complaints('src/islands/Good.tsx', component(good))).toEqual([])
  })
})

describe('imports go downward only', () => {
  const load = (address: string): string => `export const code = () => load(() => import('${address}'))\n`
  test.each([
    ['src/pages/bad.astro', '#server/env.ts'],
    ['src/layouts/bad.ts', '#server/env.ts'],
    ['src/components/Bad.astro', '#islands/toaster/mount.tsx'],
    ['src/components/bad.ts', '../stores/toast.ts'],
    ['src/islands/bad.tsx', '#server/env.ts'],
    ['src/stores/bad.ts', '#islands/toaster/mount.tsx'],
    ['src/clients/bad.ts', '../stores/toast.ts'],
    ['src/server/bad.ts', '#clients/env.ts'],
    ['src/domain/bad.ts', '#clients/env.ts'],
    ['src/domain/bad.ts', '../../local/environment.ts'],
    ['functions/bad.ts', '#stores/toast.ts'],
    ['local/bad.ts', '../src/server/env.ts'],
  ])('%s does not reach %s', options, async (file, address) => {
    const isAstro = file.endsWith('.astro')
    const statement = `import '${address}'\n`
    const still = isAstro ? `---\n${statement}---\n` : statement
    const late = isAstro ? page(`<script>\n${load(address)}</script>`) : load(address)
    expect(await complaints(file, still)).toEqual(['no-restricted-imports'])
    expect(await complaints(file, late)).toEqual(['no-restricted-syntax'])
  })

  test.each([
    ['src/islands/good.tsx', '#stores/toast.ts'],
    ['src/clients/good.ts', '#domain/toasts.ts'],
    ['functions/good.ts', '../src/server/env.ts'],
    ['local/good.ts', '../src/domain/plans.ts'],
  ])('%s may use %s', options, async (file, address) => {
    expect(await complaints(file, `import '${address}'\n`)).toEqual([])
  })
})

describe('code is loaded on use in one way', () => {
  const bad = [
    "export const code = import('./x.ts')\n",
    "export const code = () => import('./x.ts')\n",
    "export const code = later(() => import('./x.ts'))\n",
    "export const code = load(() => import('./x.ts').then(({ x }) => x))\n",
    'export const code = (address: string) => import(address)\n',
  ]
  const rooms = ['islands', 'stores', 'clients', 'layouts', 'components']
  test.each(rooms)('src/%s imports by load and onUse alone', options, async (room) => {
    for (const text of bad)
      expect(await complaints(`src/${room}/bad.ts`, text), text).toEqual(['no-restricted-syntax'])
    for (const text of [
      "export const code = load(() => import('./x.ts'))\n",
      "export const code = onUse(() => import('./x.ts'), ({ x }) => x())\n",
    ])
      expect(await complaints(`src/${room}/good.ts`, text), text).toEqual([])
  })

  test('but for the one way itself', options, async () => {
    const text = 'export const code = (address: string) => import(address)\n'
    for (const file of ['src/clients/loading.ts', 'src/layouts/loading/files.ts'])
      expect(await complaints(file, text), file).toEqual([])
  })
})

test('a function stays a door, of 25 lines at most', options, async () => {
  expect(await complaints('functions/long.ts', 'void 0\n'.repeat(26))).toEqual(['max-lines'])
})
