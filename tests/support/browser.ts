import { existsSync, statfsSync } from 'node:fs'
import { chromium, type LaunchOptions } from '@playwright/test'

/** The arguments of a Chromium that makes no requests but those of the page under test. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-gpu',
  '--disable-quic',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const systemBrowsers = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Returns the path of the Chromium for tests: the one in $CHROMIUM_PATH, or else the one from npm, so that all machines
 * use the same. npm has it only for Linux on x64; elsewhere it is Playwright's own download or the system's browser.
 * @returns undefined for Playwright's own download
 * @throws Error with advice if there is none
 */
export async function chromiumPath(): Promise<string | undefined> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  if (process.platform === 'linux' && process.arch === 'x64') {
    process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x'
    const { default: packaged } = await import('@sparticuz/chromium')
    return packaged.executablePath()
  }
  if (existsSync(chromium.executablePath())) return undefined
  const system = systemBrowsers.find(existsSync)
  if (system) return system
  throw new Error('No Chromium found. Run: npx playwright install chromium')
}

/**
 * Playwright keeps Chromium's shared memory in files of /tmp, for containers with a small /dev/shm. Where there is room,
 * memory takes less time: 7 % of what the end-to-end tests need.
 */
function hasSharedMemory(): boolean {
  if (process.platform !== 'linux' || !existsSync('/dev/shm')) return false
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize >= 2 ** 30
}

/** Returns the options by which Playwright starts the Chromium of the tests. */
export async function launchOptions(): Promise<LaunchOptions & { args: string[] }> {
  const executablePath = await chromiumPath()
  return {
    args: browserArguments,
    ...(executablePath && { executablePath }),
    ...(hasSharedMemory() && { ignoreDefaultArgs: ['--disable-dev-shm-usage'] }),
  }
}
