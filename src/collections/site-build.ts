import { getCollection, getEntry } from 'astro:content'
import type { SiteBuild } from '#admin/domain/content/site-build.ts'
import { ordered } from './ordered.ts'

/** Joins the lines of a paragraph, because a form shows each line break. Paragraphs and lists are kept. */
const joinLines = (markdown: string): string => markdown.replace(/(\S)\n(?=[^\s\-*+\d>|#])/g, '$1 ')

async function read(): Promise<SiteBuild> {
  const faqs = await ordered('faq')
  const demos = await getCollection('demos')
  const rows = await getEntry('rows', 'all')
  const settings = await getEntry('settings', 'site')
  return {
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
    rows: rows?.data.versions ?? {},
  }
}

let build: Promise<SiteBuild> | undefined

/** Returns the content of this build for the admin area: its initial entries, and the published versions of rows. */
export const siteBuild = (): Promise<SiteBuild> => (build ??= read())
