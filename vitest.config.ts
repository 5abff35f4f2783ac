/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os'
import { getViteConfig } from 'astro/config'
import { playwright } from '@vitest/browser-playwright'
import { launchOptions } from './tests/support/browser.ts'
import { localEnvironment } from './local/environment.ts'
import { hasPostgres } from './tests/support/postgres-package.ts'

// The build's variables, so that modules which read astro:env can be loaded; and passwords that are hashed quickly.
Object.assign(
  process.env,
  localEnvironment({ port: 4321, given: { PUBLIC_TOKEN_SYNC_URL: '/token-sync' } }),
  {
    LITE_AUTH_BCRYPT_COST: '4',
  },
)

const node = (name: string, include: string[], timeout = 5_000, more: object = {}) => ({
  extends: true as const,
  test: {
    name,
    environment: 'node' as const,
    include,
    testTimeout: timeout,
    hookTimeout: 60_000,
    // The files of a worker share its modules: to load and compile them anew takes as long as the tests.
    isolate: false,
    ...more,
  },
})

/** One real PostgreSQL for all files of a project, if npm has it for this platform; else each has the embedded one. */
const onPostgres = hasPostgres
  ? { env: { TEST_DATABASE: 'postgres' }, globalSetup: 'tests/support/postgres-server.ts' }
  : {}

/** Policies and the purchase, once more on the database of `npm start`. */
const onBoth = ['admin-policies', 'reliability/checkout', 'reliability/rows'].map(
  (name) => `tests/integration/${name}.test.ts`,
)

export default getViteConfig({
  test: {
    // By itself it takes one worker on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // The functions log each request.
    silent: 'passed-only',
    projects: [
      node('unit', ['{src,setup,local}/**/*.test.ts', 'tests/*.test.ts']),
      node('integration', ['tests/integration/**/*.test.ts'], 60_000, {
        ...onPostgres,
        setupFiles: 'tests/support/each-log.ts',
      }),
      // Programs that are started, and sites that are built.
      node('programs', ['tests/programs/**/*.test.ts'], 60_000, { setupFiles: 'tests/support/each-log.ts' }),
      // With a key of Stripe's test mode it asks Stripe itself, which takes minutes.
      node(
        'conformance',
        ['tests/conformance/**/*.test.ts'],
        process.env.STRIPE_CONFORMANCE_KEY ? 300_000 : 60_000,
      ),
      // What needs sessions that meet, and what is embedded otherwise.
      ...(hasPostgres
        ? [
            node('postgres', ['tests/postgres/**/*.test.ts'], 60_000, onPostgres),
            node('embedded', onBoth, 60_000),
          ]
        : []),
      node('budgets', ['tests/budgets/**/*.test.ts'], 60_000),
      {
        extends: true,
        test: {
          name: 'component',
          include: ['tests/component/**/*.test.tsx'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: await launchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
