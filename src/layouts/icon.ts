import svg from './icon.svg?raw'

/** The site's icon as an address that holds it: nothing is fetched. Whoever cannot draw it takes /favicon.ico. */
export const icon = `data:image/svg+xml,${svg
  .trim()
  .replaceAll('"', "'")
  .replace(/[<>#{}]/g, encodeURIComponent)}`
