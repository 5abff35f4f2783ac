import svg from './icon.svg?raw'

/** The site's icon as a data: URL, which needs no request. Browsers without SVG icons use /favicon.ico. */
export const icon = `data:image/svg+xml,${svg
  .trim()
  .replaceAll('"', "'")
  .replace(/[<>#{}]/g, encodeURIComponent)}`
