import { globSync, readFileSync } from 'node:fs'

/** The folder of the build, which the test runner or the benchmark has made. */
export const dist = 'dist'

export interface BuiltPage {
  /** The path of the URL, such as `/faq`. */
  path: string
  file: string
  html: string
  /** The content policy of the page's meta tag. */
  policy: string
  /** Whether the page has React islands. */
  isIsland: boolean
  /** Whether search engines may list the page. */
  isListed: boolean
}

/** Returns all pages of a build, sorted by file. */
export function builtPages(root = dist): BuiltPage[] {
  return globSync(`${root}/**/*.html`)
    .sort()
    .map((file) => {
      // An island's fallback is in the page, and again in a template, which is not displayed.
      const html = readFileSync(file, 'utf8').replace(/<template[\s\S]*?<\/template>/g, '')
      return {
        path: `/${file.slice(root.length + 1).replace(/(^|\/)index\.html$/, '')}`,
        file,
        html,
        policy: /http-equiv="content-security-policy" content="([^"]+)"/.exec(html)?.[1] ?? '',
        isIsland: html.includes('<astro-island'),
        isListed: !/<meta name="robots" content="noindex/.test(html),
      }
    })
}
