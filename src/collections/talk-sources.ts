import type { Source } from '#assistant/domain/site-prompt.ts'
import { getCollection } from 'astro:content'

/** Returns Markdown as plain text. */
const plainText = (markdown = ''): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Collects what the site's agent answers from. Industries are there with what their agents do. */
export async function allSources(): Promise<Source[]> {
  const [questions, industries, others] = await Promise.all([
    getCollection('faq'),
    getCollection('industries'),
    getCollection('answers'),
  ])
  return [
    ...questions.map(({ id, data, body }) => ({
      id: `faq/${id}`,
      title: data.question,
      url: `/faq#${id}`,
      text: plainText(body),
    })),
    ...industries.map(({ id, data }) => ({
      id: `industries/${id}`,
      title: data.name,
      url: `/industries/${id}`,
      text: [data.description, ...data.uses.map(({ quote }) => quote)].join(' '),
    })),
    ...others.map(({ id, data, body }) => ({
      id: `answers/${id}`,
      title: data.question,
      url: data.page,
      text: plainText(body),
    })),
  ]
}
