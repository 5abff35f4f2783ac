import { getCollection, getEntry } from 'astro:content'
import type { APIRoute } from 'astro'
import { ordered } from '#collections/ordered.ts'
import type { SiteBuild } from '#admin/domain/site-build.ts'

/** Lines that a file breaks for its editors' sake are one line in a form; paragraphs and lists stay. */
const asTyped = (markdown: string): string => markdown.replace(/(\S)\n(?=[^\s\-*+\d>|#])/g, '$1 ')

/** What these pages were built with, for the admin area: its seeds, and what is published. */
export const GET: APIRoute = async () => {
  const faqs = await ordered('faq')
  const demos = await getCollection('demos')
  const rows = await getCollection('rows')
  const settings = await getEntry('settings', 'site')
  const build: SiteBuild = {
    builtAt: new Date().toISOString(),
    faqs: faqs.map(({ id, data, body = '' }) => ({ id, question: data.question, answer: asTyped(body) })),
    demos: demos.map(({ id, data }) => ({
      id,
      industry: data.industry,
      title: data.title,
      description: data.description ?? '',
      audioUrl: data.audio,
    })),
    settings: settings?.data ?? { contactEmail: null, maintenanceNotice: null },
    rows: Object.fromEntries(rows.map(({ id, data }) => [id, data.version])),
  }
  return Response.json(build)
}
