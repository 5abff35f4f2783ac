import type { APIRoute } from 'astro'
import { allSources } from '#collections/talk-sources.ts'

/** Returns what the site's agent answers from, for the function `talk`. */
export const GET: APIRoute = async () => Response.json(await allSources())
