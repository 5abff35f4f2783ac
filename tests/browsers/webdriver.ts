import { writeFile } from 'node:fs/promises'
import { Builder, By, Capabilities, type WebElement } from 'selenium-webdriver'
import type { Driver, Node } from './tab.ts'

const native = (selector: string): By => (selector.startsWith('/') ? By.xpath(selector) : By.css(selector))

/** Starts a browser by a running WebDriver server, such as WebKit's or Safari's. */
export async function startWebDriver(
  server: string,
  capabilities: Record<string, unknown>,
): Promise<{ driver: Driver; version: string }> {
  const browser = await new Builder()
    .usingServer(server)
    .withCapabilities(new Capabilities(capabilities))
    .build()
  const elements = new WeakMap<Node, WebElement>()
  const nodeOf = (element: WebElement): Node => {
    // Scrolls first: during a smooth scroll, the driver would click where the element was before.
    const click = async (): Promise<void> => {
      await browser.executeScript(
        'arguments[0].scrollIntoView({ behavior: "instant", block: "center" })',
        element,
      )
      await element.click()
    }
    const node: Node = {
      isVisible: () => element.isDisplayed(),
      click,
      // WebKit types into the focused element, and does not focus elements inside a frame by itself.
      type: async (text) => {
        await click()
        await element.sendKeys(text)
      },
      upload: (file) => element.sendKeys(file),
      text: () => element.getText(),
    }
    elements.set(node, element)
    return node
  }
  const driver: Driver = {
    open: (url) => browser.get(url),
    url: () => browser.getCurrentUrl(),
    find: async (selector) => (await browser.findElements(native(selector))).map(nodeOf),
    run: (body) => browser.executeScript(body),
    within: async (node, act) => {
      await browser.switchTo().frame(elements.get(node)!)
      try {
        await act()
      } finally {
        await browser.switchTo().defaultContent()
      }
    },
    resize: async (width, height) => void (await browser.manage().window().setRect({ width, height })),
    screenshot: async (file) => writeFile(file, await browser.takeScreenshot(), 'base64'),
    close: () => browser.quit(),
  }
  const found = await browser.getCapabilities()
  return { driver, version: `${found.get('browserName')} ${found.get('browserVersion')}` }
}
