import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtPages } from '../support/built-pages.ts'

/** The files with words that visitors, customers and the readers of our mails see. */
const sources = globSync([
  'src/{pages,components,layouts}/**/*.astro',
  'src/**/*.tsx',
  'src/features/*/{domain,server}/*.ts',
  'src/platform/domain/toasts.ts',
  'content/**/*.md',
]).filter((file) => !file.includes('.test.'))
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

test.each<[string, RegExp, RegExp | undefined]>([
  // The specification's toast says Sign out.
  ['logging out has one word', /\bSigns? (?:you )?out\b/, /bad\('Sign out Failed'/],
  ['setup is one word', /\bset-up\b/i, undefined],
  ['email is one word', /\be-mail\b/i, undefined],
  ['a percentage has no space', /\d %(?!\s*\d|=)|\} %(?!\s*\S*[\d(])/, undefined],
  [
    'no screen lets a customer choose one of the voices',
    /\bchoos\w+ (?:a|your|its) voice\b|voice (?:that )?you chose|choose how it sounds/i,
    undefined,
  ],
  ['the data processing agreement applies to every customer', /needs an agreement on data/i, undefined],
  ['a website’s text is suggested, and not taken over', /takes? over what your website/i, undefined],
  ['no tax comes on top of a price', /\btaxes\b|\b(?:plus|without|excluding|before) tax\b/i, undefined],
  ['customers never read a status as it is stored', />\{subscription\.status\}</, undefined],
])('%s', (_, pattern, allowed) => {
  const found = sources.flatMap((file) =>
    withoutComments(readFileSync(file, 'utf8'))
      .split('\n')
      .filter((line) => pattern.test(line) && !allowed?.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('who says that setup takes days says which agent answers on the day, and nobody that agents place calls today', () => {
  for (const { path, html } of builtPages()) {
    const main = /<main[^]*<\/main>/.exec(html)?.[0] ?? ''
    if (main.includes('5 to 10 business days'))
      expect(main, path).toMatch(/provider’s voices[^.]* answers on the day/)
    if (/inbound and outbound/i.test(main))
      expect(main, path).toContain('outbound calls are not part of the portal yet')
  }
})

test('the pages say how a subscription is cancelled, how long it binds, and that no tax is added', () => {
  const textOf = (path: string): string =>
    builtPages()
      .find((page) => page.path === path)!
      .html.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
  for (const words of [/no minimum term/, /At any time, in your portal/, /no tax is added/])
    expect(textOf('/pricing')).toMatch(words)
  for (const words of [
    /no minimum term/,
    /until the end of the month that you have paid for/,
    /no tax is added/,
  ])
    expect(textOf('/terms')).toMatch(words)
})
