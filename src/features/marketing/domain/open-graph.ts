/** The image that a shared link shows (ogp.me): its size in pixels, and where the site keeps that of a page. */
export const openGraphImage = { width: 1200, height: 630 } as const

/** "/og/pricing.png" for "/pricing". */
export const openGraphFile = (path: string): string => `/og${path === '/' ? '/home' : path}.png`
