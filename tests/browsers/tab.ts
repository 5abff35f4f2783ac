/** How long anything that is waited for may take, in milliseconds. */
const patience = 20_000
const interval = 100

/** An element of a page. */
export interface Node {
  isVisible(): Promise<boolean>
  click(): Promise<void>
  /** Types at the end of what stands there. */
  type(text: string): Promise<void>
  upload(file: string): Promise<void>
  text(): Promise<string>
}

/** What each engine's driver can do. A selector is CSS, or XPath if it begins with a slash. */
export interface Driver {
  open(address: string): Promise<void>
  address(): Promise<string>
  find(selector: string): Promise<Node[]>
  /** Runs a function's body in the page. */
  run<Value>(body: string): Promise<Value>
  /** Lets `act` find inside a frame. */
  within(frame: Node, act: () => Promise<void>): Promise<void>
  resize(width: number, height: number): Promise<void>
  screenshot(file: string): Promise<void>
  close(): Promise<void>
}

/** A tab that waits for what it is asked for, and says what did not come. */
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

  /** @throws Error that names what did not come within 20 s */
  async until<Value>(what: string, look: () => Promise<Value>): Promise<NonNullable<Value>> {
    const end = Date.now() + patience
    let trouble: unknown
    for (;;) {
      try {
        const value = await look()
        if (value) return value
      } catch (error) {
        // The page is being replaced, or the element was.
        trouble = error
      }
      if (Date.now() > end)
        throw new Error(`${what} did not come; the page is ${await this.driver.address()}`, {
          cause: trouble,
        })
      await new Promise((again) => setTimeout(again, interval))
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

  /** Clicks as soon as it can be clicked: something else may stand over it for a moment. */
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
    await this.until(`the address ${path}`, async () =>
      path.test(new URL(await this.driver.address()).pathname),
    )
  }

  async within(frame: string, act: () => Promise<void>): Promise<void> {
    await this.driver.within(await this.see(frame), act)
  }
}

const quoted = (text: string): string => `"${text}"`
/** A button by its words, or by the name it has for a screen reader. */
export const button = (name: string): string =>
  `//button[not(@disabled)][normalize-space()=${quoted(name)} or @aria-label=${quoted(name)} or starts-with(normalize-space(), ${quoted(name)})]`
export const link = (name: string): string => `//a[normalize-space()=${quoted(name)}]`
export const heading = (name: string): string => `//h1[contains(normalize-space(), ${quoted(name)})]`
/** The field that a label with these words belongs to. */
export const field = (label: string): string => `//*[@id=//label[normalize-space()=${quoted(label)}]/@for]`
export const words = (text: string): string => `//*[not(*)][contains(normalize-space(), ${quoted(text)})]`
export const toast = (text: string): string =>
  `//*[contains(@class,"toast")][contains(normalize-space(), ${quoted(text)})]`
