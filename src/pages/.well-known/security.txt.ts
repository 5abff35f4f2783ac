import type { APIRoute } from 'astro'
import { publishedSettings } from '#collections/published-settings.ts'
import { absoluteUrl } from '#platform/domain/routes.ts'

/** The contact is valid for less than a year, as RFC 9116 recommends; each build renews it. */
const validDays = 364

/** Returns where to report a vulnerability (RFC 9116). */
export const GET: APIRoute = async ({ site }) => {
  const { email } = await publishedSettings()
  const expires = new Date()
  expires.setUTCHours(0, 0, 0, 0)
  expires.setUTCDate(expires.getUTCDate() + validDays)
  return new Response(
    [
      `Contact: mailto:${email}`,
      `Expires: ${expires.toISOString().replace('.000', '')}`,
      'Preferred-Languages: en',
      `Canonical: ${absoluteUrl('/.well-known/security.txt', site)}`,
      '',
    ].join('\n'),
  )
}
