import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { compile } from 'tailwindcss'
import { expect, test } from 'vitest'
import { builtPages } from '../support/built-pages.ts'

const { resolve } = createRequire(import.meta.url)
const styles = 'src/styles'

/** Returns the CSS that Tailwind makes of these class names with our tokens and variants. */
async function utilities(names: readonly string[]): Promise<string> {
  const { build } = await compile("@import './theme.css'; @import 'tailwindcss/utilities.css';", {
    base: styles,
    loadStylesheet: (id, base) => {
      const path = id.startsWith('.') ? join(base, id) : resolve(id)
      return Promise.resolve({ path, base: dirname(path), content: readFileSync(path, 'utf8') })
    },
  })
  return build([...names])
}
/** Returns how a style sheet, minified or not, names a class. */
const selectorOf = (name: string): string =>
  `.${name.replace(/^\d/, (digit) => `\\3${digit} `).replace(/[^\w\s\\-]/g, '\\$&')}`

const classesOf = (html: string): string[] => [
  ...new Set([...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/))),
]
const stylesOf = (html: string): string =>
  [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = '']) => css).join('\n')

// A component that no @source names would lose its styles without a word.
test.each(builtPages().map(({ path, html }) => [path, html]))(
  '%s has the rule of each utility in its markup',
  async (_, html) => {
    const names = classesOf(html)
    const all = await utilities(names)
    const css = stylesOf(html)
    const known = names.filter((name) => all.includes(`${selectorOf(name)} {`))
    expect(known.filter((name) => !css.includes(selectorOf(name)))).toEqual([])
  },
)
