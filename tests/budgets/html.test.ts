import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { builtPages } from '../support/built-pages.ts'

/** Every page is valid HTML and follows the validator's accessibility rules. */
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // How React writes attributes and empty elements; browsers read it as the same.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'void-style': 'off',
    // Files of our own come from the same place as the page that would carry their hashes.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
})

/** Astro writes this before a page's first island, wherever that stands. It may not stand there, and works. */
const islandStyle = '<style>astro-island,astro-slot,astro-static-slot{display:contents}</style>'

const pages = builtPages().map(({ path, html }) => [path, html] as const)

test.each(pages)('%s is valid', async (_, html) => {
  const { results } = await validator.validateString(html.replace(islandStyle, ''))
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
  expect(found).toEqual([])
})
