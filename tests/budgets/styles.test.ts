import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The most lines of CSS that are written by hand (docs/styles.md). */
const mostLines = 1_200

test('little CSS is written by hand: looks are said by utilities', () => {
  const lines = globSync('{src,local}/**/*.css').flatMap((path) =>
    readFileSync(path, 'utf8').trimEnd().split('\n'),
  )
  expect(lines.length).toBeLessThanOrEqual(mostLines)
})
