import * as z from 'zod/mini'
import type { Source } from '#assistant/domain/site-prompt.ts'
import { CodedError } from '#platform/server/coded-error.ts'
import type { ServerEnv } from '#platform/server/env.ts'

const listed = z.array(z.object({ id: z.string(), title: z.string(), url: z.string(), text: z.string() }))

/** The site's own content could not be read. */
class SourcesError extends CodedError {
  override readonly name = 'SourcesError'
}

const timeoutMs = 5_000
/** How long they are kept: a build that publishes new content may follow. */
const keptMs = 5 * 60_000
let kept: { sources: Source[]; until: number } | undefined

/**
 * Reads what the site's agent answers from, which the build has written (pages/talk.json.ts).
 * @throws SourcesError
 */
export async function siteSources({
  PUBLIC_SITE_URL,
}: Pick<ServerEnv, 'PUBLIC_SITE_URL'>): Promise<Source[]> {
  if (kept && kept.until > Date.now()) return kept.sources
  try {
    const url = new URL('/talk.json', PUBLIC_SITE_URL)
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    const sources = z.parse(listed, await response.json())
    kept = { sources, until: Date.now() + keptMs }
    return sources
  } catch {
    throw new SourcesError('sources')
  }
}
