import js from '@eslint/js'
import ts from 'typescript-eslint'
import astro from 'eslint-plugin-astro'
import a11y from 'eslint-plugin-jsx-a11y-x'
import hooks from 'eslint-plugin-react-hooks'
import globals from 'globals'

/**
 * Imports go downward only: pages → layouts → components → domain; islands → stores, clients, domain;
 * clients, server → domain; functions → server; local → domain.
 */
const rooms = [
  'pages',
  'layouts',
  'components',
  'collections',
  'open-graph',
  'islands',
  'stores',
  'clients',
  'server',
  'domain',
]
const mayUse = {
  pages: ['layouts', 'components', 'collections', 'islands', 'stores', 'clients', 'domain'],
  layouts: ['layouts', 'components', 'collections', 'islands', 'stores', 'clients', 'domain'],
  components: ['components', 'collections', 'clients', 'domain'],
  collections: ['collections', 'domain'],
  islands: ['islands', 'stores', 'clients', 'domain'],
  stores: ['stores', 'clients', 'domain'],
  clients: ['clients', 'domain'],
  server: ['server', 'domain'],
  'open-graph': ['open-graph', 'domain'],
  domain: ['domain'],
}

/** Forbids static and dynamic imports of the named rooms, by alias or by a path that leads into them. */
function closed(names, why, ...further) {
  const pattern = `^(#|(\\.\\./)+(src/)?)(${names.join('|')})(/|$)`
  return {
    'no-restricted-imports': ['error', { patterns: [{ regex: pattern, message: why }] }],
    'no-restricted-syntax': [
      'error',
      { selector: `ImportExpression[source.value=/${pattern.replaceAll('/', '\\/')}/]`, message: why },
      ...further,
    ],
  }
}

/** Code is loaded on use in one way, which tries again after a failure and tells of it. */
const loadedInOneWay = {
  selector:
    'ImportExpression:not(CallExpression[callee.name=/^(load|onUse)$/] > ArrowFunctionExpression > ImportExpression)',
  message: "Load code by load(() => import('…')) or onUse(() => import('…'), …) of #clients/loading.ts",
}
const inBrowser = ['pages', 'layouts', 'components', 'islands', 'stores', 'clients']

const rulesOf = (room, ...further) => {
  const shut = rooms.filter((other) => !mayUse[room].includes(other) && other !== room)
  return closed(
    [...shut, 'local'],
    `src/${room} does not reach into there (docs/architecture.md)`,
    ...further,
  )
}
const roomRules = [
  ...rooms.map((room) => ({
    files: [`src/${room}/**/*.{ts,tsx,astro}`],
    rules: rulesOf(room, ...(inBrowser.includes(room) ? [loadedInOneWay] : [])),
  })),
  // The one way itself.
  { files: ['src/layouts/loading/*.ts'], rules: rulesOf('layouts') },
  { files: ['src/clients/loading.ts'], rules: rulesOf('clients') },
]

export default [
  { ignores: ['dist/', '.astro/', '.local/', '.netlify/', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...astro.configs.recommended,
  ...astro.configs['jsx-a11y-recommended'],
  { files: ['**/*.tsx'], ...a11y.configs.recommended },
  { files: ['**/*.tsx'], ...hooks.configs.flat.recommended },
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  ...roomRules,
  // Read by Nodes that are too old for the rest.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off', 'no-var': 'off' } },
  {
    files: ['functions/**/*.ts'],
    rules: {
      ...closed(
        ['pages', 'layouts', 'components', 'collections', 'islands', 'stores', 'clients', 'local'],
        'functions use src/server',
      ),
      'max-lines': ['error', 25],
    },
  },
  {
    files: ['local/**/*.ts'],
    rules: closed(
      ['pages', 'layouts', 'components', 'collections', 'islands', 'stores', 'clients', 'server'],
      'local uses src/domain',
    ),
  },
]
