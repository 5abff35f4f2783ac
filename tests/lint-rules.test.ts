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
    expect(await complaints('src/platform/ui/Bad.tsx', tsx)).toContain(`jsx-a11y-x/${rule}`)
  })

  test('what is right is let through', options, async () => {
    const good = '<label>Email <input type="email" /></label>'
    expect(await complaints('src/components/Good.astro', page(good))).toEqual([])
    expect(await complaints('src/platform/ui/Good.tsx', component(good))).toEqual([])
  })
})

describe('imports go downward only', () => {
  const load = (specifier: string): string => `export const code = () => load(() => import('${specifier}'))\n`
  test.each([
    ['src/pages/bad.astro', '#platform/server/env.ts'],
    ['src/layouts/bad.ts', '#platform/server/env.ts'],
    ['src/layouts/bad.ts', '#portal/ui/Portal.tsx'],
    ['src/components/Bad.astro', '#platform/ui/mount-toaster.tsx'],
    ['src/page-scripts/bad.ts', '#collections/schemas.ts'],
    ['src/collections/bad.ts', '../platform/domain/routes.ts'],
    ['src/integrations/bad.ts', '#platform/browser/toast.ts'],
    // Rooms.
    ['src/features/billing/domain/bad.ts', '#billing/browser/subscriptions.ts'],
    ['src/features/billing/browser/bad.ts', '#platform/server/env.ts'],
    ['src/features/billing/browser/bad.ts', '#billing/ui/PlanFactList.tsx'],
    ['src/features/billing/server/bad.ts', '#platform/browser/env.ts'],
    ['src/features/billing/ui/bad.tsx', '#billing/server/sync.ts'],
    ['src/features/billing/ui/bad.tsx', '../domain/status.ts'],
    ['src/features/billing/ui/bad.tsx', '#layouts/Shell.astro'],
    ['src/platform/domain/bad.ts', '../../../local/environment.ts'],
    // The line of features.
    ['src/platform/domain/bad.ts', '#plans/domain/plans.ts'],
    ['src/features/account/domain/bad.ts', '#billing/domain/status.ts'],
    ['src/features/portal/ui/bad.tsx', '#admin/ui/lists/Moment.tsx'],
    ['functions/bad.ts', '#platform/browser/toast.ts'],
    ['functions/bad.ts', '../src/platform/server/http.ts'],
    ['local/bad.ts', '#platform/server/env.ts'],
    ['local/bad.ts', '../src/platform/domain/routes.ts'],
  ])('%s does not reach %s', options, async (file, specifier) => {
    const isAstro = file.endsWith('.astro')
    const statement = `import '${specifier}'\n`
    const still = isAstro ? `---\n${statement}---\n` : statement
    const late = isAstro ? page(`<script>\n${load(specifier)}</script>`) : load(specifier)
    expect(await complaints(file, still)).toEqual(['no-restricted-imports'])
    expect(await complaints(file, late)).toEqual(['no-restricted-syntax'])
  })

  test.each([
    ['src/features/billing/ui/good.tsx', '#platform/browser/toast.ts'],
    ['src/features/billing/ui/good.tsx', './PlanFactList.tsx'],
    ['src/features/billing/browser/good.ts', '#account/browser/session.ts'],
    ['src/features/admin/server/good.ts', '#billing/server/sync.ts'],
    ['src/pages/good.astro', '#portal/ui/Portal.tsx'],
    ['functions/good.ts', '#billing/server/webhook/webhook.ts'],
    ['local/good.ts', '#plans/domain/plans.ts'],
  ])('%s may use %s', options, async (file, specifier) => {
    const statement = `import '${specifier}'\n`
    expect(await complaints(file, file.endsWith('.astro') ? `---\n${statement}---\n` : statement)).toEqual([])
  })
})

describe('what uses code is no part of its import', () => {
  const rooms = [
    'platform/ui',
    'features/admin/browser',
    'features/calls/domain',
    'layouts',
    'components',
    'page-scripts',
  ]
  test.each(rooms)('src/%s', options, async (room) => {
    expect(
      await complaints(`src/${room}/bad.ts`, "export const x = import('./x.ts').then(({ x }) => x())\n"),
    ).toEqual(['no-restricted-syntax'])
    for (const text of [
      "export const { x } = await import('./x.ts')\n",
      "export const x = onUse(import('./x.ts'), ({ x }) => x())\n",
    ])
      expect(await complaints(`src/${room}/good.ts`, text), text).toEqual([])
  })
})

test('a function stays a door, of 25 lines at most', options, async () => {
  expect(await complaints('functions/long.ts', 'void 0\n'.repeat(26))).toEqual(['max-lines'])
})
