import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { narrowPolicy, scriptsAfterPaint } from './finished-pages.ts'

const hash = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`
const script = (path: string) => `<script type="module" src="${path}"></script>`

describe('the policy of a page', () => {
  const page = (policy: string) =>
    `<meta http-equiv="content-security-policy" content="${policy}">` +
    `<style>p{color:red}</style><script src="/x.js"></script><script data-a="">go()</script>`

  test('admits what is in it, and what it fetches', () => {
    const policy = `script-src 'self' https://pay.example ${hash('go()')}; style-src 'self' ${hash('p{color:red}')};`
    expect(narrowPolicy(page(policy))).toBe(page(policy))
  })

  test('admits nothing that is only on other pages', () => {
    const given = `script-src 'self' ${hash('other()')} ${hash('go()')}; style-src 'self' ${hash('b{}')};`
    expect(narrowPolicy(page(given))).toBe(page(`script-src 'self' ${hash('go()')}; style-src 'self';`))
  })
})

describe('the scripts of a page', () => {
  const imports: Record<string, string[]> = { '/a.js': ['/c.js'], '/b.js': ['/c.js', '/d.js'] }
  const importsOf = (path: string) => imports[path] ?? []
  const later = '<script data-modules="">later()</script>'

  test('stand in the head with what they import, each once', () => {
    const html = `<p>Text</p>${script('/a.js')}<p>More</p>${script('/b.js')}${later}`
    expect(scriptsAfterPaint(html, importsOf)).toBe(
      '<p>Text</p><p>More</p><script data-modules="/a.js /c.js /b.js /d.js">later()</script>',
    )
  })

  test('the files of an island are fetched at once, each once', () => {
    const tag = '<astro-island uid="1" component-url="/a.js" renderer-url="/b.js" client="load">'
    expect(scriptsAfterPaint(`${tag}</astro-island>${later}`, importsOf)).toBe(
      ['/a.js', '/c.js', '/b.js', '/d.js'].map((url) => `<link rel="modulepreload" href="${url}">`).join('') +
        `${tag}</astro-island>${later}`,
    )
  })
})
