import { getCollection, getEntry } from 'astro:content'
import type { APIRoute } from 'astro'
import { ordered } from '#collections/ordered.ts'
import type { SiteBuild } from '#admin/domain/site-build.ts'

/** Joins the lines of a paragraph, because a form shows each line break. Paragraphs and lists are kept. */
const joinLines = (markdown: string): string => markdown.replace(/(\S)\n(?=[^\s\-*+\d>|#])/g, '$1 ')

/** Returns the content of this build for the admin area: its initial entries, and the published versions of rows. */
export const GET: APIRoute = async () => {
  const faqs = await ordered('faq')
  const demos = await getCollection('demos')
  const rows = await getCollection('rows')
  const settings = await getEntry('settings', 'site')
  const build: SiteBuild = {
    builtAt: new Date().toISOString(),
    faqs: faqs.map(({ id, data, body = '' }) => ({ id, question: data.question, answer: joinLines(body) })),
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
