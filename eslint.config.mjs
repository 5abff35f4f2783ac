import js from '@eslint/js'
import ts from 'typescript-eslint'
import astro from 'eslint-plugin-astro'
import a11y from 'eslint-plugin-jsx-a11y-x'
import hooks from 'eslint-plugin-react-hooks'
import globals from 'globals'

/** The features in their order. Each may import itself and those before it (docs/architecture.md). */
const features = [
  'platform',
  'plans',
  'account',
  'billing',
  'checkout',
  'calls',
  'agent',
  'bookings',
  'telephony',
  'connections',
  'assistant',
  'marketing',
  'portal',
  'admin',
]
/** The rooms of a feature, and the rooms that each may import. */
const rooms = {
  domain: ['domain'],
  browser: ['domain', 'browser'],
  server: ['domain', 'server'],
  ui: ['domain', 'browser', 'ui'],
}
/** Astro's folders and those of the build, and the rooms and folders that each may import. */
const folders = {
  pages: ['domain', 'browser', 'ui', 'layouts', 'components', 'collections', 'page-scripts'],
  layouts: ['domain', 'browser', 'layouts', 'components', 'collections', 'page-scripts'],
  components: ['domain', 'browser', 'components', 'collections', 'page-scripts'],
  'page-scripts': ['domain', 'browser', 'ui', 'page-scripts'],
  collections: ['domain', 'collections'],
  integrations: ['domain', 'integrations', 'page-scripts'],
}
const places = [...Object.keys(folders), 'local', 'tests', 'functions', 'setup']

const anyOf = (names) => `(${names.join('|')})`

/** Forbids static and dynamic imports of paths that match one of the patterns. */
function closed(patterns, why, ...further) {
  const pattern = patterns.join('|')
  return {
    'no-restricted-imports': ['error', { patterns: [{ regex: pattern, message: why }] }],
    'no-restricted-syntax': [
      'error',
      { selector: `ImportExpression[source.value=/${pattern.replaceAll('/', '\\/')}/]`, message: why },
      ...further,
    ],
  }
}
/** Matches imports of these rooms in these features. */
const roomsOf = (names, among) => `^#${anyOf(names)}/${anyOf(among)}/`
/** Matches imports of these folders, by alias or by relative path. */
const inFolders = (names) => `^(#|(\\.\\./)+(src/)?)${anyOf(names)}/`
/** Matches relative paths into `src/features` and `src/platform`, whose rooms must be imported by alias. */
const pastTheAlias = '^\\.\\./(.*/)?(src|features|platform|domain|browser|server|ui)/'
const without = (all, some) => all.filter((name) => !some.includes(name))

/** Forbids `import('…').then(use)`: Vite takes `use` for a part of the import, and its failure for a missing file. */
const importAlone = {
  selector: 'MemberExpression > ImportExpression',
  message: "Await import('…'), or use onUse(import('…'), …) of #platform/browser/loading.ts",
}

const roomRules = features.flatMap((feature, index) =>
  Object.entries(rooms).map(([room, may]) => {
    const later = features.slice(index + 1)
    return {
      files: [`src/${feature === 'platform' ? '' : 'features/'}${feature}/${room}/**/*.{ts,tsx}`],
      ignores: ['**/*.test.ts'],
      rules: closed(
        [
          '^\\.\\./(?!(\\.\\./)+styles/)',
          inFolders(without(places, ['collections'])),
          '^#collections/',
          roomsOf(features, without(Object.keys(rooms), may)),
          ...(later.length > 0 ? [`^#${anyOf(later)}/`] : []),
        ],
        `${feature}/${room} does not import from there (docs/architecture.md)`,
        ...(room === 'server' ? [] : [importAlone]),
      ),
    }
  }),
)
const folderRules = Object.entries(folders).map(([folder, may]) => ({
  files: [`src/${folder}/**/*.{ts,tsx,astro}`],
  ignores: ['**/*.test.ts'],
  rules: closed(
    [
      pastTheAlias,
      inFolders(without(places, [...may, folder])),
      roomsOf(features, without(Object.keys(rooms), may)),
    ],
    `src/${folder} does not import from there (docs/architecture.md)`,
    ...(folder === 'collections' || folder === 'integrations' ? [] : [importAlone]),
  ),
}))

export default [
  {
    ignores: [
      'dist/',
      'dist-functions/',
      '.astro/',
      '.local/',
      '.netlify/',
      'test-results/',
      'playwright-report/',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...astro.configs.recommended,
  ...astro.configs['jsx-a11y-recommended'],
  { files: ['**/*.tsx'], ...a11y.configs.recommended },
  { files: ['**/*.tsx'], ...hooks.configs.flat.recommended },
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  ...roomRules,
  ...folderRules,
  // Must run on old Nodes.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off', 'no-var': 'off' } },
  {
    files: ['functions/**/*.ts'],
    rules: {
      ...closed(
        [
          pastTheAlias,
          inFolders(Object.keys(folders)),
          roomsOf(features, ['browser', 'ui']),
          inFolders(['local', 'tests']),
        ],
        'functions import rooms called server and domain',
      ),
      'max-lines': ['error', 25],
    },
  },
  {
    files: ['local/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: closed(
      [pastTheAlias, inFolders(Object.keys(folders)), roomsOf(features, ['browser', 'server', 'ui'])],
      'local imports rooms called domain',
    ),
  },
  {
    files: ['tests/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.property.name=/^(locator|querySelector(All)?|closest|matches)$/] > Literal[value=/^[^"\\x27[]*\\.[a-z]|\\][^"\\x27[]*\\.[a-z]/]',
          message: 'Find elements by role, label or data-*: a class says how an element looks',
        },
      ],
    },
  },
]
