import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Chromium that talks to nobody but the page under test. */
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
 * A Chromium to test with: the one that $CHROMIUM_PATH names, else the one that comes from npm, so that every machine
 * tests with the same. It exists for Linux on x64; elsewhere Playwright's own download or the system's is used.
 * Undefined means Playwright's own.
 * @throws Error that says how to get one
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

export async function launchOptions(): Promise<{ args: string[]; executablePath?: string }> {
  const executablePath = await chromiumPath()
  return { args: browserArguments, ...(executablePath ? { executablePath } : {}) }
}
