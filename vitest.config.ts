/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os'
import { getViteConfig } from 'astro/config'
import { playwright } from '@vitest/browser-playwright'
import { launchOptions } from './tests/support/browser.ts'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
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

const longest = /\/(agent-simulator|start|publish|content|database-restart|netlify-functions)\.test/
/** Begins with the files that start programs, build sites or often try again: nothing else fills their waits at the end. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): number => Number(longest.test(moduleId))
    return (await super.sort(files)).toSorted((one, other) => isLong(other) - isLong(one))
  }
}

const node = (name: string, include: string[], timeout = 5_000, more: object = {}) => ({
  extends: true as const,
  test: { name, environment: 'node' as const, include, testTimeout: timeout, hookTimeout: 60_000, ...more },
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
    sequence: { sequencer: Sequencer },
    // The functions log each request.
    silent: 'passed-only',
    projects: [
      node('unit', ['{src,setup,local}/**/*.test.ts', 'tests/*.test.ts']),
      node('integration', ['tests/integration/**/*.test.ts'], 60_000, {
        ...onPostgres,
        setupFiles: 'tests/support/personal-log.ts',
      }),
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
