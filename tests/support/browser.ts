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
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * A Chromium to test with: $CHROMIUM_PATH, Playwright's own download, the system's, or the one that comes
 * from npm. Undefined means Playwright's own.
 * @throws Error that says how to get one
 */
export async function chromiumPath(): Promise<string | undefined> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  if (existsSync(chromium.executablePath())) return undefined
  const system = systemBrowsers.find(existsSync)
  if (system) return system
  if (process.platform === 'linux' && process.arch === 'x64') {
    process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x'
    const { default: packaged } = await import('@sparticuz/chromium')
    return packaged.executablePath()
  }
  throw new Error('No Chromium found. Run: npx playwright install --with-deps chromium')
}

export async function launchOptions(): Promise<{ args: string[]; executablePath?: string }> {
  const executablePath = await chromiumPath()
  return { args: browserArguments, ...(executablePath ? { executablePath } : {}) }
}
