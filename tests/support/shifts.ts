import type { Page } from '@playwright/test'

type WithShifts = typeof window & { shifts?: string[] }

/** Runs in a page: records every layout shift from then on, with the elements that moved. */
export const noteShifts = (): void => {
  const shifts: string[] = []
  type Shift = PerformanceEntry & { value: number; sources: { node: Element | null }[] }
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      shifts.push(`${value} ${sources.map(({ node }) => node?.outerHTML.slice(0, 80)).join(', ')}`)
  }).observe({ type: 'layout-shift' })
  Object.assign(window, { shifts })
}
export const notedShifts = (page: Page) => page.evaluate(() => (window as WithShifts).shifts)

export const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
