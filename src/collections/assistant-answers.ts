import type { Source } from '#assistant/domain/site-prompt.ts'
import type { Answer } from '#assistant/domain/dialogue/ranking.ts'
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

/** Collects all answers of the voice agent: from the FAQ, the industries and content/answers. */
export async function allAnswers(): Promise<Answer[]> {
  const [questions, industries, others] = await Promise.all([
    getCollection('faq'),
    getCollection('industries'),
    getCollection('answers'),
  ])
  const withAlso = (also: readonly string[] | undefined) => (also ? { also } : {})
  return [
    ...questions.map(({ id, data, body }) => ({
      url: `/faq#${id}`,
      title: data.question,
      ...withAlso(data.also),
      text: plainText(body),
    })),
    ...industries.map(({ id, data }) => ({
      url: `/industries/${id}`,
      title: data.name,
      also: [...(data.also ?? []), ...data.uses.map(({ quote }) => quote)],
      text: data.description,
    })),
    ...others.map(({ data, body }) => ({
      url: data.page,
      title: data.question,
      ...withAlso(data.also),
      text: plainText(body),
    })),
  ]
}
