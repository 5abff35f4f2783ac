import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  generalTemplateIds,
  greetingOf,
  industryTemplateIds,
  industryTemplates,
  tradeTemplateIds,
} from './industry-templates.ts'

const folder = new URL('../../../../content/industries/', import.meta.url)

test('every industry of the site has one template, of the same name', () => {
  const industries = readdirSync(folder).map((file) => [
    file.replace('.md', ''),
    /^name: (.*)$/m.exec(readFileSync(new URL(file, folder), 'utf8'))?.[1],
  ])
  const templates = tradeTemplateIds.map((id) => [id, industryTemplates[id].name])
  expect(templates.toSorted()).toEqual(industries.toSorted())
})

test('the three of the specification keep their names and words', () => {
  expect(generalTemplateIds.map((id) => industryTemplates[id].name)).toEqual([
    'Hospitality',
    'Healthcare',
    'Retail',
  ])
  expect(generalTemplateIds.map((id) => greetingOf(id, null))).toEqual([
    'Good day, thank you for calling. Would you like to book, or may I answer a question?',
    'Hello, you have reached the practice. Would you like an appointment, or do you have a question?',
    'Hi, thanks for calling! Is it about an order, or shall I put something aside for you?',
  ])
  expect(greetingOf(null, null)).toBe(greetingOf('hospitality', null))
})

test.each(industryTemplateIds)('%s greets with the name of the business, or without one', (template) => {
  expect(greetingOf(template, 'Lamps Ltd.')).toContain('Lamps Ltd.')
  for (const business of [null, 'Lamps Ltd.'])
    expect(greetingOf(template, business)).toMatch(/^[A-Z](?!.*(null|undefined|\.\.| {2}| [,.!])).*\?$/)
})
