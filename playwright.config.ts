import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { launchOptions } from './tests/support/browser.ts'
import { firstPort } from './tests/support/ports.ts'

// The whole run shares one new data directory. The variable passes its path to the workers.
const data = (process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), 'deskbell-e2e-')))

const options = await launchOptions()
/** A microphone of Chromium's own, which beeps: for all, because tests with other options begin when the rest has ended. */
const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

export default defineConfig({
  // It is emptied at the start, and other checks have their results beside it.
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  forbidOnly: true,
  // Twice the two cores, because tests wait more than they work.
  workers: 4,
  retries: 0,
  // Long enough for a busy machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    baseURL: `http://localhost:${firstPort}`,
    // A failed test leaves its steps, its requests and a picture. `--trace on` records snapshots as well.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    // Each action and navigation has its own time limit.
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    launchOptions: { ...options, args: [...options.args, ...microphone] },
  },
  projects: [
    // First, because its steps wait for each other.
    { name: 'browsers', testDir: 'tests/browsers' },
    { name: 'desktop', testDir: 'tests/e2e', grepInvert: /@phone/, use: { ...devices['Desktop Chrome'] } },
    // What is tagged @phone is walked through on a desktop by tests/browsers.
    { name: 'mobile', testDir: 'tests/e2e', grep: /@mobile|@phone/, use: { ...devices['Pixel 7'] } },
  ],
  webServer: {
    command: 'node local/start.ts',
    env: { PORT: String(firstPort), DESKBELL_DATA: data, LITE_AUTH_BCRYPT_COST: '4' },
    url: `http://localhost:${firstPort}/`,
    timeout: 180_000,
    reuseExistingServer: false,
    // The functions log each request.
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
})
