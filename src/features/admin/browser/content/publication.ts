import { atom } from 'nanostores'
import { lastFailedBuild, publish } from './publish.ts'
import * as z from 'zod/mini'
import { siteBuild, type SiteBuild } from '#admin/domain/content/site-build.ts'

type Publication =
  | { status: 'idle' }
  | { status: 'requesting' }
  /** `seconds`: since the build was requested. */
  | { status: 'building'; seconds: number }
  /** `problem`: the output of the build, line by line. */
  | { status: 'failed'; reason: string; problem?: string }
  | { status: 'published' }

/** The publication that this page has requested. */
export const $publication = atom<Publication>({ status: 'idle' })

const pollMs = 2_000
/** How long the success is shown. */
const successMs = 15_000
/** A build that takes longer has most likely failed at the host, whose deploy log we cannot read. */
const timeoutMs = 10 * 60_000

/** Reads the build that the site shows and the last failed one. */
const readBuilds = async () => {
  const [site, failed] = await Promise.all([readSiteBuild(), lastFailedBuild()])
  return { site, failed }
}

/** Requests a build, and polls the site until it shows that build, or the build has failed. */
export async function startPublication(): Promise<void> {
  const { status } = $publication.get()
  if (status === 'requesting' || status === 'building') return
  $publication.set({ status: 'requesting' })
  const before = await readBuilds()
  const requested = await publish()
  if (!requested.ok) return $publication.set({ status: 'failed', reason: requested.failure.message })
  const start = Date.now()
  for (let passed = 0; passed <= timeoutMs; passed = Date.now() - start) {
    $publication.set({ status: 'building', seconds: Math.round(passed / 1000) })
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const { site, failed } = await readBuilds()
    if (site && site.builtAt !== before.site?.builtAt) return showSuccess()
    if (failed && failed.id !== before.failed?.id)
      return $publication.set({
        status: 'failed',
        reason: 'The new pages could not be built; visitors see those of before.',
        problem: failed.problem,
      })
  }
  $publication.set({
    status: 'failed',
    reason: 'The new pages have not appeared within ten minutes. Your host’s deploy log says why.',
  })
}

function showSuccess(): void {
  $publication.set({ status: 'published' })
  setTimeout(() => {
    if ($publication.get().status === 'published') $publication.set({ status: 'idle' })
  }, successMs)
}

/** Reads what the pages that visitors see were built from; undefined if there is no readable answer. */
export async function readSiteBuild(): Promise<SiteBuild | undefined> {
  try {
    const answer = await fetch('/build.json', { cache: 'no-cache' })
    return answer.ok ? z.safeParse(siteBuild, await answer.json()).data : undefined
  } catch {
    return undefined
  }
}
