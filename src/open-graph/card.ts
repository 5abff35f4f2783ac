/** What a page's Open Graph image is drawn from. */
export interface Card {
  /** The image's address on the site, `/og/pricing.png`. */
  file: string
  headline: string
  /** An industry's panel: the name of its enamel in tokens.css, and its icon's path in a box of 40 units. */
  panel?: { enamel: string; icon: string }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" }
const decoded = (text: string): string => text.replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole)

/**
 * The card a built page asks for: the picture says what the page's `og:image:alt` says, and stands on the enamel of
 * its header where it has one.
 * @returns undefined for a page without an image
 */
export function cardOf(html: string): Card | undefined {
  const property = (name: string): string | undefined =>
    new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1]
  const [image, headline] = [property('og:image'), property('og:image:alt')]
  if (!image || !headline) return undefined
  const [, enamel] = /class="enamel (\w+)"/.exec(html) ?? []
  const [, icon] = /class="bigicon"[^>]*>\s*<path d="([^"]+)"/.exec(html) ?? []
  return {
    file: new URL(image).pathname,
    headline: decoded(headline),
    ...(enamel && icon && { panel: { enamel, icon } }),
  }
}
