import * as z from 'zod/mini'
import { siteBuild, type SiteBuild } from '#admin/domain/content/site-build.ts'

/** Reads what the pages that visitors see were built from; undefined if there is no readable answer. */
export async function readSiteBuild(): Promise<SiteBuild | undefined> {
  try {
    const answer = await fetch('/build.json', { cache: 'no-cache' })
    return answer.ok ? z.safeParse(siteBuild, await answer.json()).data : undefined
  } catch {
    return undefined
  }
}
