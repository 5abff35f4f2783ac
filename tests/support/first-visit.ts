import { brotliCompressSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { idle, scriptsToCome } from './scripts.ts'

/** The requests and bytes of a first visit without any interaction. Bytes are compressed, as they are sent. */
interface FirstVisit {
  requests: Request[]
  /** The bytes of the document, with headers. */
  html: number
  /** The bytes of the scripts: files and inline scripts, each compressed on its own, without headers. */
  script: number
  /** The bytes of all bodies and headers, including the icon and the manifest. */
  total: number
  /** The URLs of the requests that block the first paint. */
  blocking: string[]
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Opens a page in a new context and waits until the network is idle. */
export async function firstVisit(page: Page, url: string): Promise<FirstVisit> {
  const all: Request[] = []
  const record = (request: Request): unknown => all.push(request)
  page.on('request', record)
  await page.goto(url)
  // Scripts are fetched after the first paint, which may be late in a browser that has just started.
  await scriptsToCome(page).waitFor({ state: 'detached' })
  await idle(page)
  page.off('request', record)
  const automatic = await automaticRequests(page)
  const requests = all.filter((request) => !automatic.urls.includes(request.url()))
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  // Code is fetched, then imported from the browser's cache; what comes from there has headers and less than no body.
  const loaded = requests.flatMap((request, index) => {
    const { responseBodySize: body = 0, responseHeadersSize: headers = 0 } = sizes[index] ?? {}
    return body > 0 ? [{ isScript: request.url().endsWith('.js'), body, headers }] : []
  })
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
    html: (loaded[0]?.body ?? 0) + (loaded[0]?.headers ?? 0),
    script:
      sum(loaded.map(({ isScript, body }) => (isScript ? body : 0))) +
      sum(inline.map((code) => brotliCompressSync(code).length)),
    total: sum(loaded.map(({ body, headers }) => body + headers)) + automatic.bytes,
    blocking,
  }
}

/**
 * Fetches the icons and the manifest. The browser fetches them at any time and may not report it, so they are counted
 * separately; of the icons, the largest one counts.
 */
async function automaticRequests(page: Page): Promise<{ urls: string[]; bytes: number }> {
  const read = (selector: string): Promise<{ href: string; bytes: number }[]> =>
    page.locator(selector).evaluateAll((links) =>
      Promise.all(
        (links as HTMLLinkElement[]).map(async ({ href }) => {
          const response = await fetch(href, { cache: 'reload' })
          await response.arrayBuffer()
          const timing = performance.getEntriesByName(href).at(-1) as PerformanceResourceTiming
          return { href, bytes: timing.transferSize }
        }),
      ),
    )
  const icons = await read('link[rel~=icon]:not([href^="data:"])')
  const manifests = await read('link[rel=manifest]')
  return {
    urls: [...icons, ...manifests].map(({ href }) => href),
    bytes: Math.max(0, ...icons.map(({ bytes }) => bytes)) + sum(manifests.map(({ bytes }) => bytes)),
  }
}

/** Returns whether a script contains React. */
export const isReact = (code: string): boolean => code.includes('react.transitional.element')
