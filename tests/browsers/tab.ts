/** The time limit for anything that a tab waits for. */
const timeoutMs = 20_000
const intervalMs = 100

/** An element of a page. */
export interface Node {
  isVisible(): Promise<boolean>
  click(): Promise<void>
  /** Types at the end of the text. */
  type(text: string): Promise<void>
  upload(file: string): Promise<void>
  text(): Promise<string>
}

/** The interface of the engines' drivers. A selector is CSS, or XPath if it starts with a slash. */
export interface Driver {
  open(url: string): Promise<void>
  url(): Promise<string>
  find(selector: string): Promise<Node[]>
  /** Runs a function's body in the page. */
  run<Value>(body: string): Promise<Value>
  /** Runs `act`, whose selectors search inside the frame. */
  within(frame: Node, act: () => Promise<void>): Promise<void>
  resize(width: number, height: number): Promise<void>
  screenshot(file: string): Promise<void>
  close(): Promise<void>
}

/** A tab that waits for elements, and throws an error that names a missing one. */
export class Tab {
  readonly driver: Driver
  readonly origin: string

  constructor(driver: Driver, origin: string) {
    this.driver = driver
    this.origin = origin
  }

  open(path: string): Promise<void> {
    return this.driver.open(new URL(path, this.origin).href)
  }

  /**
   * Runs `check` until it returns a truthy value.
   * @throws Error that names `what` after 20 s
   */
  async until<Value>(what: string, check: () => Promise<Value>): Promise<NonNullable<Value>> {
    const deadline = Date.now() + timeoutMs
    let cause: unknown
    for (;;) {
      try {
        const value = await check()
        if (value) return value
      } catch (error) {
        // The page or the element was replaced during the check.
        cause = error
      }
      if (Date.now() > deadline)
        throw new Error(`${what} did not come; the page is ${await this.driver.url()}`, { cause })
      await new Promise((resolve) => setTimeout(resolve, intervalMs))
    }
  }

  see(selector: string): Promise<Node> {
    return this.until(selector, async () => {
      for (const node of await this.driver.find(selector)) if (await node.isVisible()) return node
      return undefined
    })
  }

  async gone(selector: string): Promise<void> {
    await this.until(`the end of ${selector}`, async () => {
      for (const node of await this.driver.find(selector)) if (await node.isVisible()) return false
      return true
    })
  }

  /** Clicks an element, and tries again if something covers it for a moment. */
  async click(selector: string): Promise<void> {
    await this.until(`a click on ${selector}`, async () => {
      await (await this.see(selector)).click()
      return true
    })
  }

  async type(selector: string, text: string): Promise<void> {
    await (await this.see(selector)).type(text)
  }

  async upload(selector: string, file: string): Promise<void> {
    const input = await this.until(selector, async () => (await this.driver.find(selector))[0])
    await input.upload(file)
  }

  async reads(selector: string, wanted: RegExp): Promise<void> {
    await this.until(`${selector} as ${wanted}`, async () =>
      wanted.test(await (await this.see(selector)).text()),
    )
  }

  async isAt(path: RegExp): Promise<void> {
    await this.until(`the address ${path}`, async () => path.test(new URL(await this.driver.url()).pathname))
  }

  async within(frame: string, act: () => Promise<void>): Promise<void> {
    await this.driver.within(await this.see(frame), act)
  }
}

const quoted = (text: string): string => `"${text}"`
/** Selects a button by its text or its accessible name. */
export const button = (name: string): string =>
  `//button[not(@disabled)][normalize-space()=${quoted(name)} or @aria-label=${quoted(name)} or starts-with(normalize-space(), ${quoted(name)})]`
export const link = (name: string): string => `//a[normalize-space()=${quoted(name)}]`
export const heading = (name: string): string => `//h1[contains(normalize-space(), ${quoted(name)})]`
/** Selects a field by the text of its label. */
export const field = (label: string): string => `//*[@id=//label[normalize-space()=${quoted(label)}]/@for]`
export const words = (text: string): string => `//*[not(*)][contains(normalize-space(), ${quoted(text)})]`
export const toast = (text: string): string =>
  `//*[@data-toast][contains(normalize-space(), ${quoted(text)})]`
