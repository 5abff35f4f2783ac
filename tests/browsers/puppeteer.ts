import puppeteer, { type ElementHandle, type Frame } from 'puppeteer-core'
import { browserArguments } from '../support/browser.ts'
import type { Driver, Node } from './tab.ts'

const native = (selector: string): string => (selector.startsWith('/') ? `::-p-xpath(${selector})` : selector)

/** Starts Firefox, driven by WebDriver BiDi, or Chromium, driven by its own protocol. */
export async function startPuppeteer(
  browser: 'firefox' | 'chrome',
  executablePath: string,
  env: Record<string, string | undefined>,
): Promise<{ driver: Driver; version: string }> {
  const opened = await puppeteer.launch({
    browser,
    executablePath,
    headless: true,
    env,
    ...(browser === 'chrome' ? { args: browserArguments } : {}),
  })
  const page = await opened.newPage()
  // A page that asks before it is left would wait for the answer for ever.
  page.on('dialog', (dialog) => void dialog.accept())
  let frame: Frame = page.mainFrame()
  const nodeOf = (handle: ElementHandle): Node => ({
    isVisible: () => handle.isVisible(),
    click: () => handle.click(),
    type: (text) => handle.type(text),
    upload: (file) => (handle as ElementHandle<HTMLInputElement>).uploadFile(file),
    text: () => handle.evaluate((element) => element.textContent ?? ''),
  })
  const handles = new WeakMap<Node, ElementHandle>()
  const driver: Driver = {
    open: async (url) => void (await page.goto(url)),
    url: async () => page.url(),
    find: async (selector) =>
      (await frame.$$(native(selector))).map((handle) => {
        const node = nodeOf(handle)
        handles.set(node, handle)
        return node
      }),
    run: (body) => page.evaluate(`(() => {${body}})()`) as Promise<never>,
    within: async (node, act) => {
      const inside = await handles.get(node)?.contentFrame()
      if (!inside) throw new Error('It is no frame')
      const outside = frame
      frame = inside
      try {
        await act()
      } finally {
        frame = outside
      }
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: async (file) => void (await page.screenshot({ path: file as `${string}.png` })),
    close: () => opened.close(),
  }
  return { driver, version: await opened.version() }
}
