import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generalTemplateIds, industryTemplates, tradeTemplateIds } from './industry-templates.ts'

const folder = new URL('../../../../content/industries/', import.meta.url)

test('every industry of the site has one template, of the same name', () => {
  const industries = readdirSync(folder).map((file) => [
    file.replace('.md', ''),
    /^name: (.*)$/m.exec(readFileSync(new URL(file, folder), 'utf8'))?.[1],
  ])
  const templates = tradeTemplateIds.map((id) => [id, industryTemplates[id].name])
  expect(templates.toSorted()).toEqual(industries.toSorted())
})

test('the three of the specification keep their names', () => {
  expect(generalTemplateIds.map((id) => industryTemplates[id].name)).toEqual([
    'Hospitality',
    'Healthcare',
    'Retail',
  ])
})
