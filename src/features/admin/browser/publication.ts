import { atom } from 'nanostores'
import { lastFailedBuild, publish } from './publish.ts'
import { readSiteBuild } from './site-build.ts'

export type Publication =
  | { status: 'idle' }
  | { status: 'asking' }
  /** A build has been asked for; `seconds` have passed. */
  | { status: 'building'; seconds: number }
  /** `problem`: what the build itself said, line by line. */
  | { status: 'failed'; reason: string; problem?: string }
  | { status: 'published' }

/** The publication that this page has asked for. */
export const $publication = atom<Publication>({ status: 'idle' })

const lookEveryMs = 2_000
/** Good news stays so long. */
const goodNewsMs = 15_000
/** A build that takes longer than this has most likely failed at the host, which tells only its own log. */
const patienceMs = 10 * 60_000

/** Asks for a build, and watches the site until it is the one that was asked for. */
export async function startPublication(): Promise<void> {
  const { status } = $publication.get()
  if (status === 'asking' || status === 'building') return
  $publication.set({ status: 'asking' })
  const [before, failedBefore] = await Promise.all([readSiteBuild(), lastFailedBuild()])
  const asked = await publish()
  if (!asked.ok) return $publication.set({ status: 'failed', reason: asked.failure.message })
  const begun = Date.now()
  $publication.set({ status: 'building', seconds: 0 })
  const look = async (): Promise<void> => {
    const [build, failed] = await Promise.all([readSiteBuild(), lastFailedBuild()])
    if (build && build.builtAt !== before?.builtAt) {
      $publication.set({ status: 'published' })
      setTimeout(() => {
        if ($publication.get().status === 'published') $publication.set({ status: 'idle' })
      }, goodNewsMs)
      return
    }
    if (failed && failed.id !== failedBefore?.id)
      return $publication.set({
        status: 'failed',
        reason: 'The new pages could not be built; visitors see those of before.',
        problem: failed.problem,
      })
    const passed = Date.now() - begun
    if (passed > patienceMs)
      return $publication.set({
        status: 'failed',
        reason: 'The new pages have not appeared within ten minutes. Your host’s deploy log says why.',
      })
    $publication.set({ status: 'building', seconds: Math.round(passed / 1000) })
    setTimeout(() => void look(), lookEveryMs)
  }
  setTimeout(() => void look(), lookEveryMs)
}
