import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chromiumPath } from '../support/browser.ts'
import { freePort } from '../../local/free-port.ts'
import { startPuppeteer } from './puppeteer.ts'
import type { Driver } from './tab.ts'
import { startWebDriver } from './webdriver.ts'

export interface Engine {
  name: 'Chromium' | 'Firefox' | 'WebKit'
  /** The path of the browser or its driver, or undefined if it is not installed. */
  path: string | undefined
  /** How to install it. */
  advice: string
  start(): Promise<{ driver: Driver; version: string; stop: () => void }>
}

/** The environment before the packaged Chromium adds its own libraries and fonts, with which other browsers fail. */
const environment = { ...process.env }

const firefox = [
  process.env.FIREFOX_PATH ?? '',
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
].find((path) => path && existsSync(path))

const webkitDriver = ['/usr/bin/WebKitWebDriver', '/usr/bin/safaridriver'].find((path) => existsSync(path))

/** Returns all engines, installed or not. On macOS WebKit is Safari; elsewhere it is WebKitGTK's MiniBrowser. */
export async function engines(): Promise<Engine[]> {
  const chromium = await chromiumPath().catch(() => undefined)
  return [
    {
      name: 'Chromium',
      path: chromium,
      advice: 'set CHROMIUM_PATH',
      start: async () => ({ ...(await startPuppeteer('chrome', chromium!, process.env)), stop: () => {} }),
    },
    {
      name: 'Firefox',
      path: firefox,
      advice: 'install Firefox (Debian: firefox-esr), or set FIREFOX_PATH',
      start: async () => ({ ...(await startPuppeteer('firefox', firefox!, environment)), stop: () => {} }),
    },
    {
      name: 'WebKit',
      path: webkitDriver,
      advice: 'install webkit2gtk-driver and xvfb (Debian), or use Safari',
      start: () => startWebKit(webkitDriver!),
    },
  ]
}

async function startWebKit(path: string): Promise<{ driver: Driver; version: string; stop: () => void }> {
  const children: ChildProcess[] = []
  const run = (command: string, args: string[], extra: Record<string, string> = {}): void => {
    children.push(spawn(command, args, { env: { ...environment, ...extra }, stdio: 'ignore' }))
  }
  const stop = (): void => {
    for (const child of children) child.kill()
  }
  const port = await freePort({ port: 4480, host: '127.0.0.1' })
  const isSafari = path.endsWith('safaridriver')
  const display = process.env.DISPLAY ?? ':97'
  if (!isSafari && !process.env.DISPLAY) run('Xvfb', [display, '-screen', '0', '1920x1400x24'])
  run(path, [isSafari ? '-p' : `--port=${port}`, ...(isSafari ? [String(port)] : [])], {
    DISPLAY: display,
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  })
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4*/MiniBrowser')
  const capabilities = isSafari
    ? { browserName: 'safari' }
    : {
        browserName: 'MiniBrowser',
        unhandledPromptBehavior: 'accept',
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      }
  const server = `http://127.0.0.1:${port}`
  try {
    await waitForServer(`${server}/status`)
    return { ...(await startWebDriver(server, capabilities)), stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** @throws Error if the server does not answer within 15 s */
async function waitForServer(url: string): Promise<void> {
  for (let attempt = 0; attempt < 75; attempt++) {
    if (await fetch(url).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`No server answers at ${url}`)
}
