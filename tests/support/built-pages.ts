import { globSync, readFileSync } from 'node:fs'

/** Where the build stands; it is the test runner's, or the bench's. */
export const dist = 'dist'

export interface BuiltPage {
  /** The address without its origin, such as `/faq`. */
  path: string
  file: string
  html: string
  /** Whether React draws a part of it. */
  isIsland: boolean
  /** Whether it is for search engines. */
  isListed: boolean
}

/** Every page of a build, in the order of their files. */
export function builtPages(root = dist): BuiltPage[] {
  return globSync(`${root}/**/*.html`)
    .sort()
    .map((file) => {
      // An island's fallback stands in the page and, inert, in a template as well.
      const html = readFileSync(file, 'utf8').replace(/<template[\s\S]*?<\/template>/g, '')
      return {
        path: `/${file.slice(root.length + 1).replace(/(^|\/)index\.html$/, '')}`,
        file,
        html,
        isIsland: html.includes('<astro-island'),
        isListed: !/<meta name="robots" content="noindex/.test(html),
      }
    })
}
