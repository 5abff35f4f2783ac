import type { APIRoute } from 'astro'
import { icon } from '#components/brand.ts'

/** Returns the icon of the site's tabs. */
export const GET: APIRoute = () => new Response(icon)
