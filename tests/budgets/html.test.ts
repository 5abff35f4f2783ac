import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { builtPages } from '../support/built-pages.ts'

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // React writes attributes and empty elements in this style, and browsers read it the same way.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'void-style': 'off',
    // Our own files come from the same server as the page with their hashes, so a hash would add no protection.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
})

/** The element that Astro writes before a page's first island. It is not valid there, but works. */
const islandStyle = '<style>astro-island,astro-slot,astro-static-slot{display:contents}</style>'

const pages = builtPages().map(({ path, html }) => [path, html] as const)

test.each(pages)('%s is valid', async (_, html) => {
  const { results } = await validator.validateString(html.replace(islandStyle, ''))
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
  expect(found).toEqual([])
})
