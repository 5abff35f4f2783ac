import type { Page } from '@playwright/test'

type Noted = typeof window & { shifts?: string[] }

/** Run in a page: writes down every move of what can be seen from then on, and what moved. */
export const noteShifts = (): void => {
  const shifts: string[] = []
  type Shift = PerformanceEntry & { value: number; sources: { node: Element | null }[] }
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      shifts.push(`${value} ${sources.map(({ node }) => node?.outerHTML.slice(0, 80)).join(', ')}`)
  }).observe({ type: 'layout-shift' })
  Object.assign(window, { shifts })
}
export const notedShifts = (page: Page) => page.evaluate(() => (window as Noted).shifts)

export const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
