import { brotliCompressSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { scriptsToCome } from './scripts.ts'

/** What a first visit asks for before anybody does anything. Bytes are those on the wire, compressed. */
export interface FirstVisit {
  requests: Request[]
  /** The document itself, without its headers. */
  html: number
  /** Files of script, and what stands in the page, each compressed by itself. */
  script: number
  /** All bodies and headers, with the icon and the manifest. */
  total: number
  /** Addresses that the first paint waits for. */
  blocking: string[]
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Opens a page in a context that has seen nothing yet, and waits until it asks for nothing more. */
export async function firstVisit(page: Page, url: string): Promise<FirstVisit> {
  const all: Request[] = []
  const note = (request: Request): unknown => all.push(request)
  page.on('request', note)
  await page.goto(url, { waitUntil: 'networkidle' })
  // Scripts are asked for after the first paint, which a browser that has just started may draw late.
  await scriptsToCome(page).waitFor({ state: 'detached' })
  page.off('request', note)
  const own = await ownRequests(page)
  const requests = all.filter((request) => !own.addresses.includes(request.url()))
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  const loaded = requests.map((request, index) => ({
    isScript: request.resourceType() === 'script',
    body: sizes[index]?.responseBodySize ?? 0,
    headers: sizes[index]?.responseHeadersSize ?? 0,
  }))
  const inline = await page.evaluate(() =>
    [...document.scripts].flatMap(({ src, type, text }) =>
      src === '' && /^(|module|text\/javascript)$/.test(type) ? [text] : [],
    ),
  )
  const blocking = await page.evaluate(() =>
    (
      performance.getEntriesByType('resource') as (PerformanceResourceTiming & {
        renderBlockingStatus: string
      })[]
    )
      .filter(({ renderBlockingStatus }) => renderBlockingStatus !== 'non-blocking')
      .map(({ name }) => name),
  )
  return {
    requests,
    html: loaded[0]?.body ?? 0,
    script:
      sum(loaded.map(({ isScript, body }) => (isScript ? body : 0))) +
      sum(inline.map((code) => brotliCompressSync(code).length)),
    total: sum(loaded.map(({ body, headers }) => body + headers)) + own.bytes,
    blocking,
  }
}

/**
 * The browser fetches an icon and the manifest when it likes, and tells of it or not: they are asked for here, and
 * the heaviest icon is counted.
 */
async function ownRequests(page: Page): Promise<{ addresses: string[]; bytes: number }> {
  const read = (selector: string): Promise<{ href: string; bytes: number }[]> =>
    page.locator(selector).evaluateAll((links) =>
      Promise.all(
        (links as HTMLLinkElement[]).map(async ({ href }) => {
          const answer = await fetch(href, { cache: 'reload' })
          await answer.arrayBuffer()
          const timing = performance.getEntriesByName(href).at(-1) as PerformanceResourceTiming
          return { href, bytes: timing.transferSize }
        }),
      ),
    )
  const icons = await read('link[rel~=icon]:not([href^="data:"])')
  const manifests = await read('link[rel=manifest]')
  return {
    addresses: [...icons, ...manifests].map(({ href }) => href),
    bytes: Math.max(0, ...icons.map(({ bytes }) => bytes)) + sum(manifests.map(({ bytes }) => bytes)),
  }
}

/** Whether a file of script holds React. */
export const isReact = (code: string): boolean => code.includes('react.transitional.element')
