import type { APIRoute } from 'astro'
import { siteBuild } from '#collections/site-build.ts'

export const GET: APIRoute = async () => Response.json(await siteBuild())
