import type { APIRoute } from 'astro'
import { personalPages } from '#platform/domain/public-pages.ts'
import { addressOf } from '#platform/domain/routes.ts'

/** What crawlers may read, and where all of it is listed. */
export const GET: APIRoute = ({ site }) =>
  new Response(
    [
      'User-agent: *',
      ...[...personalPages, '/.netlify/'].map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${addressOf('/sitemap-index.xml', site)}`,
      '',
    ].join('\n'),
  )
