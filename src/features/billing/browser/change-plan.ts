import type {
  ConfirmPlanChangeAnswer,
  NextPlanAnswer,
  PlanPreview,
  SubscriptionEndAnswer,
} from '#billing/domain/plan-change/plan-change-contracts.ts'
import type { ConfirmationFailure } from './plan-change.ts'
import { planName, type PayablePlanId } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import type { Outcome } from '#platform/domain/field-problem.ts'
import type { Result } from '#platform/domain/result.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'

/** A change that costs nothing now. */
export type FreeChange =
  { type: 'nextPlan'; plan: PayablePlanId; isTakenBack: boolean } | { type: 'end' } | { type: 'resume' }

/** Saves what goes on with a smaller plan. Returns the problem; null if it is saved. */
export type SaveChoice = (plan: PayablePlanId) => Promise<string | null>

/** The requests of the plan's change; a test passes its own. */
export interface PlanClients {
  preview: (plan: PayablePlanId) => Promise<Result<PlanPreview>>
  confirm: (quote: string) => Promise<Result<ConfirmPlanChangeAnswer, ConfirmationFailure>>
  /** Lets the bank confirm the payment (3-D Secure). */
  authenticate: (clientSecret: string) => Promise<void>
  changeNextPlan: (plan: PayablePlanId | null) => Promise<Result<NextPlanAnswer>>
  endSubscription: () => Promise<Result<SubscriptionEndAnswer>>
  resumeSubscription: () => Promise<Result<SubscriptionEndAnswer>>
  /** Reads the subscription again. */
  refresh: () => unknown
}

/** A problem is shown under the plans. */
type Ending = Outcome<'change'>

/** Asks what an upgrade costs. */
export async function previewUpgrade(
  plan: PayablePlanId,
  { preview, refresh }: Pick<PlanClients, 'preview' | 'refresh'>,
): Promise<{ preview: PlanPreview } | Ending> {
  const made = await preview(plan)
  return made.ok ? { preview: made.value } : refused(made.failure.message, refresh)
}

/** Pays an upgrade as previewed. If it can be confirmed again, returns the preview for that, and why. */
export async function upgrade(
  preview: PlanPreview,
  { confirm, authenticate, refresh }: Pick<PlanClients, 'confirm' | 'authenticate' | 'refresh'>,
): Promise<{ preview: PlanPreview; problem: string } | Ending> {
  let answer = await confirm(preview.quote)
  while (answer.ok && answer.value.status === 'requires_action') {
    // Finished or failed: the server reads from the provider what has become of the payment.
    await authenticate(answer.value.clientSecret)
    answer = await confirm(preview.quote)
  }
  if (answer.ok) {
    refresh()
    return { toast: toasts.planChanged(planName(preview.to)) }
  }
  const { code, message, answered, preview: newer } = answer.failure
  if (newer) return { preview: newer, problem: message }
  // Confirming again asks what has become of the change.
  const isLost = !answered || code === 'provider_unavailable' || code === 'internal'
  return isLost ? { preview, problem: message } : refused(message, refresh)
}

/**
 * Saves a change that costs nothing now.
 * @param saveChoice saves what was chosen to go on with a smaller plan
 */
export async function saveChange(
  change: FreeChange,
  saveChoice: SaveChoice | undefined,
  clients: Omit<PlanClients, 'preview' | 'confirm' | 'authenticate'>,
): Promise<Ending> {
  const { refresh } = clients
  if (change.type === 'nextPlan') {
    // Chosen first: a choice has no effect without the plan, and the plan would begin with the oldest.
    const problem = saveChoice ? await saveChoice(change.plan) : null
    if (problem !== null) return refused(problem, refresh)
    const saved = await clients.changeNextPlan(change.isTakenBack ? null : change.plan)
    if (!saved.ok) return refused(saved.failure.message, refresh)
    refresh()
    return { toast: savedToast(change, saved.value.from) }
  }
  const saved = await (change.type === 'end' ? clients.endSubscription() : clients.resumeSubscription())
  if (!saved.ok) return refused(saved.failure.message, refresh)
  refresh()
  return { toast: savedToast(change, saved.value.cancel_at) }
}

/** What the page knows may be out of date: it is read again. */
function refused(message: string, refresh: () => unknown): Ending {
  refresh()
  return { problem: { field: 'change', message } }
}

/** @param from the day from which the change counts (ISO 8601) */
function savedToast(change: FreeChange, from: string | null): Toast {
  const day = dayLabel(from) ?? 'the next period'
  switch (change.type) {
    case 'nextPlan':
      return change.isTakenBack
        ? toasts.planKept(planName(change.plan))
        : toasts.nextPlanSet(planName(change.plan), day)
    case 'end':
      return toasts.endScheduled(day)
    case 'resume':
      return toasts.subscriptionKept
  }
}
