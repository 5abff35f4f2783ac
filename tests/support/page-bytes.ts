import { brotliCompressSync, constants } from 'node:zlib'

/** The most bytes of a page, as a visitor receives them: what is drawn first fits into ten packets. */
export const mostBytes = { firstSection: 14_600, page: 22_000 }

/** The bytes of a page's response headers (657 on the local machine; a host's differ a little). */
const headers = 660

/** Returns how many bytes a page has on the wire: compressed as the server compresses it, with its headers. */
export const bytesOnWire = (html: string): number =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length + headers

/** Returns a page up to the end of its first section: all styles stand in its head. */
export const firstSection = (html: string): string =>
  html.slice(0, html.indexOf('</section>') + '</section>'.length)
