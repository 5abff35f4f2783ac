import type { Outcome } from '#platform/domain/field-problem.ts'
import { portalAfterOnboarding } from '#platform/domain/routes.ts'
import { toasts } from '#platform/domain/toasts.ts'

/** The requests and the memory of onboarding's end; a test passes its own. */
export interface FinishClients {
  complete: (userId: string) => Promise<boolean>
  noteCompleted: () => void
  /** The step that this tab has reached, and Finish Later. */
  forgetStep: (userId: string) => void
  forgetPostponed: () => void
}

/** Marks onboarding as complete, and leads to the portal (specification, section 4). */
export async function finishOnboarding(userId: string, clients: FinishClients): Promise<Outcome> {
  if (!(await clients.complete(userId))) return { toast: toasts.setupFailed }
  clients.noteCompleted()
  clients.forgetStep(userId)
  clients.forgetPostponed()
  return { goTo: portalAfterOnboarding }
}
