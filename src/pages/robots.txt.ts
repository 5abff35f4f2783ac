import type { APIRoute } from 'astro'
import { absoluteUrl, personalPages } from '#platform/domain/routes.ts'

/** Returns the rules for crawlers and the URL of the sitemap. */
export const GET: APIRoute = ({ site }) =>
  new Response(
    [
      'User-agent: *',
      ...[...personalPages, '/.netlify/'].map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${absoluteUrl('/sitemap-index.xml', site)}`,
      '',
    ].join('\n'),
  )
