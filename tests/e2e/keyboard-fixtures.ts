import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The focused element, as a keyboard user sees it. */
interface Stop {
  /** Its index among the focusable elements, in document order. */
  index: number
  name: string
  x: number
  y: number
  width: number
  height: number
  isOutlined: boolean
  isInView: boolean
  isCovered: boolean
  /** Whether its position is fixed, so that it says nothing about the order. */
  isFixed: boolean
}

const focusable = 'a[href], button, input, select, textarea, summary, iframe, audio[controls], [tabindex]'

const focused = (page: Page): Promise<Stop | null> =>
  page.evaluate((selector) => {
    const element = document.activeElement
    if (!element || element === document.body) return null
    const isFixed = (each: Element | null): boolean =>
      each !== null && (/fixed|sticky/.test(getComputedStyle(each).position) || isFixed(each.parentElement))
    // A link that wraps has two boxes.
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect()
    // The box around another origin's frame shows that the frame has the focus, and a label that of what is in it.
    const carrier = element.closest('[data-focused], label') ?? element
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(carrier)
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const top = document.elementFromPoint(middle.x, middle.y)
    return {
      index: [...document.querySelectorAll(selector)].indexOf(element),
      name: `${element.tagName.toLowerCase()} ${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}`,
      x: box.x + scrollX,
      y: box.y + scrollY,
      width: box.width,
      height: box.height,
      isOutlined:
        outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\)|transparent/.test(outlineColor),
      isInView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      isCovered: !(top && (element.contains(top) || top.contains(element))),
      isFixed: isFixed(element),
    }
  }, focusable)

/** Opens a page and waits until React has hydrated it and no control is disabled. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await expect(page.locator('[data-wait]:visible')).toHaveCount(0)
  for (const frame of page.frames()) await frame.waitForLoadState()
  // Keyboard users have pressed a key.
  await page.keyboard.press('Shift')
  // The key press loads the round button, which adds a stop.
  await expect(page.locator('[data-voice-loaded][hidden]')).toHaveCount(0)
  await expect(page.locator('main :disabled')).toHaveCount(0)
  await expect(page.locator('main').locator('a[href], button').first()).toBeVisible()
}

/** Counts the focusable elements of the page. Of radio buttons with one name, Tab reaches one. */
const reachable = (page: Page): Promise<number> =>
  page.evaluate((selector) => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (each) => each.checkVisibility() && each.tabIndex >= 0 && !each.matches(':disabled'),
    )
    const radios = found.filter((each) => each.matches('[type=radio]')) as HTMLInputElement[]
    return found.length - radios.length + new Set(radios.map(({ name }) => name)).size
  }, focusable)

/** Presses Tab until the focus leaves the page or returns to the first element. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = []
  const most = (await reachable(page)) + 5
  let pressed = 0
  while (pressed < most) {
    await page.keyboard.press('Tab')
    let stop = await focused(page)
    if (stop?.name.startsWith('iframe') && stop.index !== stops.at(-1)?.index) {
      // A frame sends a message when it gets the focus, and the page then outlines the box.
      await page.locator('[data-focused] iframe').first().waitFor()
      stop = await focused(page)
    }
    if (!stop || (stops.length > 1 && stop.index === stops[0]?.index)) return stops
    // To the page, all fields of a frame are one element.
    if (stop.index !== stops.at(-1)?.index) stops.push(stop)
    pressed += 1
  }
  throw new Error(`The focus does not leave the page after ${most} places, the last at ${stops.at(-1)?.name}`)
}

/** The reading order goes down, or right within a row or into the next column, but never only left. */
const goesBack = (from: Stop, to: Stop): boolean => {
  if (from.isFixed || to.isFixed) return false
  return to.x + to.width <= from.x && to.y < from.y + from.height / 2
}

/** Puts the keyboard where it is in a page that has just been opened. */
export const toTheStart = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const start = document.createElement('span')
    start.tabIndex = -1
    document.body.prepend(start)
    start.focus()
    start.remove()
    scrollTo(0, 0)
  })

export async function expectSkipLink(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveText('Skip to content')
  await expect(page.locator(':focus')).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const isPastTheBar = await page.evaluate(() => {
    const main = document.querySelector('main')!
    const { activeElement: element } = document
    return !!element && (main.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) === 0
  })
  expect(isPastTheBar, 'the skip link leads to the content').toBe(true)
}

export async function expectFocusInOrder(page: Page): Promise<void> {
  let stops: Awaited<ReturnType<typeof walk>> = []
  // What loads after the page, as the inbox does, may add places during a walk.
  await expect(async () => {
    stops = await walk(page)
    expect(stops, 'every place is reached').toHaveLength(await reachable(page))
  }).toPass({ timeout: 30_000 })
  const indices = stops.map(({ index }) => index)
  expect(indices, 'the order of the document').toEqual(indices.toSorted((a, b) => a - b))
  const jumps = stops.slice(1).filter((stop, index) => goesBack(stops[index]!, stop))
  expect(
    jumps.map(({ name }) => name),
    'places that stand before the one before them',
  ).toEqual([])
  const unseen = stops.filter(({ isOutlined, isInView, isCovered }) => !isOutlined || !isInView || isCovered)
  expect(unseen, 'places where the focus cannot be seen').toEqual([])
}
