import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readEntry, hiddenPage } from './markdown.ts'
import * as schemas from './schemas.ts'
import { fillPlaceholders, placeholders } from '#marketing/domain/placeholders.ts'
import { minutesLabel, planById, priceLabel } from '#plans/domain/plans.ts'
import { transcriptProblem } from '#calls/domain/transcript.ts'

const folder = mkdtempSync(join(tmpdir(), 'deskbell-content-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Schema = (typeof schemas)[keyof typeof schemas]

/** Returns the problems of a file with this text, by field. */
async function problemsIn(schema: Schema, text: string, name = 'entry.md'): Promise<Record<string, string>> {
  const file = join(folder, name)
  writeFileSync(file, text)
  const entry = await readEntry(file, schema)
  return 'id' in entry ? {} : Object.fromEntries(entry.map(({ field, reason }) => [field, reason]))
}

const industry = (changes: string): string => `---
name: Bakeries
description: Bread, from the first call in the morning.
icon: bag
rack: { labels: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], plugged: 3 }
uses: [{ title: Orders, quote: Two loaves?, answer: Takes the order. }]
${changes}
---

Text.
`

describe('a mistake in the form of a file, in plain words', () => {
  test.each<[string, string, Record<string, unknown>, string?]>([
    [
      'a second line of dashes is missing',
      '---\nquestion: Why?\n\nBecause.\n',
      { 'front matter': expect.stringContaining('has no second line of dashes') },
    ],
    [
      'no fields at all',
      'Because.\n',
      { 'front matter': expect.stringContaining('begins with a line of three dashes') },
    ],
    [
      'a colon',
      '---\nquestion: What it costs: the short answer\n---\nLittle.\n',
      {
        'front matter':
          "has a colon in line 2. Put the value in quotation marks: question: 'What it costs: the short answer'",
      },
    ],
    [
      'an open quotation mark',
      '---\nquestion: "Why?\norder: 1\n---\nBecause.\n',
      { 'front matter': expect.stringMatching(/^cannot be read near line \d\. Is a quotation mark missing/) },
    ],
    [
      'another ending of the name',
      '---\nquestion: Why?\n---\nBecause.\n',
      { 'file name': expect.stringContaining('must end with .md, in small letters') },
      'entry.MD',
    ],
  ])('%s', async (_, text, problems, name) => {
    expect(await problemsIn(schemas.faq, text, name)).toEqual(problems)
  })

  test('lines that end as on Windows are good', async () => {
    expect(await problemsIn(schemas.faq, '---\r\nquestion: Why?\r\n---\r\nBecause.\r\n')).toEqual({})
  })

  test.each([
    ['pricing', 'a page of the site has it already'],
    ['industries', 'a page of the site has it already'],
    ['terms', 'content/legal/terms.md has it, too'],
    ['cookies', undefined],
  ])('a text that would be hidden behind /%s', (id, reason) => {
    const problem = hiddenPage('legal')(id)
    if (reason) expect(problem).toContain(reason)
    else expect(problem).toBeUndefined()
  })
})

describe('a content file', () => {
  test('is good with its fields and a text', async () => {
    expect(await problemsIn(schemas.faq, '---\nquestion: Why?\n---\n\nBecause.\n')).toEqual({})
    expect(await problemsIn(schemas.industry, industry('colour: teal'))).toEqual({})
    expect(await problemsIn(schemas.industry, industry('calculator: { calls: 8, minutes: 2.5 }'))).toEqual({})
  })

  test.each<[string, Schema, string, Record<string, unknown>]>([
    ['no question', schemas.faq, '---\norder: 1\n---\nText', { question: 'is missing.' }],
    ['an empty question', schemas.faq, '---\nquestion: "  "\n---\nText', { question: 'is empty.' }],
    [
      'a misspelt field',
      schemas.faq,
      '---\nqestion: Why?\n---\nText',
      {
        qestion: 'is not a field that this file may have. Is it misspelt?',
        question: 'is missing.',
      },
    ],
    [
      'numbers that the calculator does not take',
      schemas.industry,
      industry('calculator: { calls: 0, minutes: 2.55 }'),
      {
        'calculator, calls': 'must be a whole number from 1 to 1,000.',
        'calculator, minutes': 'must be a number from 0.1 to 60, with at most one decimal.',
      },
    ],
    [
      'a word for a number',
      schemas.faq,
      '---\nquestion: Why?\norder: first\n---\nText',
      { order: 'must be a number, not "first".' },
    ],
    [
      'no text',
      schemas.faq,
      '---\nquestion: Why?\n---\n',
      { text: 'is missing. It stands below the second line of dashes.' },
    ],
    ['nothing at all', schemas.faq, '', { 'front matter': expect.stringContaining('is missing.') }],
    [
      'a strange colour',
      schemas.industry,
      industry('colour: mauve'),
      { colour: 'must be one of: blue, orange, slate, teal, indigo; not "mauve".' },
    ],
    [
      'a demo that is not there',
      schemas.industry,
      industry('demo: bakery'),
      { demo: 'must name a file in content/demos; there is no bakery.md.' },
    ],
    [
      'an incomplete use',
      schemas.industry,
      industry('').replace(', answer: Takes the order.', ''),
      { 'uses, entry 1, answer': 'is missing.' },
    ],
    [
      'eleven jacks',
      schemas.industry,
      industry('').replace('11, 12', '11'),
      { 'rack, labels': 'must have 12 entries, one for each jack.' },
    ],
    [
      'a thirteenth jack plugged',
      schemas.industry,
      industry('').replace('plugged: 3', 'plugged: 13'),
      { 'rack, plugged': 'must be 1 to 12.' },
    ],
    [
      'a recording that is not there',
      schemas.demo,
      '---\nindustry: hotel\ntitle: Night\naudio: /audio/none.mp3\nseconds: 3\n---\n- Agent: Hello.',
      { audio: 'must name a file in public/audio, such as /audio/hotel.mp3; there is no /audio/none.mp3.' },
    ],
    [
      'an unknown placeholder',
      schemas.faq,
      '---\nquestion: What does {{plan.gold}} cost?\n---\nAsk.',
      { question: '{{plan.gold}} stands for nothing. docs/content.md lists what there is.' },
    ],
  ])('with %s says so', async (_, schema, text, expected) => {
    expect(await problemsIn(schema, text)).toMatchObject(expected)
  })

  test('whose text must have a form says what is none of it', async () => {
    const file = join(folder, 'bakery.md')
    writeFileSync(file, '---\nquestion: Why?\n---\n\n- Baker: Hello.')
    expect(await readEntry(file, schemas.faq, transcriptProblem)).toEqual([
      { field: 'text', reason: transcriptProblem('- Baker: Hello.') },
    ])
  })

  test('is named for its address', async () => {
    const problems = await problemsIn(schemas.faq, '---\nquestion: Why?\n---\nText', 'Two Words.md')
    expect(problems['file name']).toContain('may hold small letters')
  })
})

describe('placeholders', () => {
  const facts = placeholders({
    name: 'Bellhop',
    email: 'desk@bellhop.example',
    url: 'https://bellhop.example',
    guaranteeDays: 30,
  })

  test('stand for the catalogue’s own words', () => {
    const pro = planById('pro')
    expect(fillPlaceholders('{{plan.pro.price}} for {{ plan.pro.minutes }} at {{brand}}', facts)).toEqual({
      text: `${priceLabel(pro)} for ${minutesLabel(pro)} at Bellhop`,
      unknown: [],
    })
  })

  test('promise money back only if the operator does', () => {
    const none = placeholders({ name: '', email: '', url: '', guaranteeDays: 0 })
    expect(none.get('guarantee')).toContain('no money-back promise')
    expect(facts.get('guarantee')).toContain('within 30 days')
  })

  test('that stand for nothing are named and left', () => {
    expect(fillPlaceholders('{{plan.pro.prize}} {{__proto__}} {{}}', facts)).toEqual({
      text: '{{plan.pro.prize}} {{__proto__}} {{}}',
      unknown: ['{{plan.pro.prize}}', '{{__proto__}}', '{{}}'],
    })
  })
})
