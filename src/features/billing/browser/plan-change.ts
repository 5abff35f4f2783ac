import * as z from 'zod/mini'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import {
  confirmPlanChangeAnswer,
  nextPlanAnswer,
  planPreview,
  subscriptionEndAnswer,
  type ConfirmPlanChangeAnswer,
  type PlanPreview,
} from '#billing/domain/plan-change/plan-change-contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'

/** Asks what an upgrade costs. */
export const previewPlanChange = (plan: PayablePlanId): Promise<Result<PlanPreview, FunctionFailure>> =>
  invokeAsUser('preview-plan-change', { plan }, planPreview)

/** A confirmation that failed; `preview` replaces the one that no longer holds. */
export type ConfirmationFailure = FunctionFailure & { preview?: PlanPreview | undefined }

/** Charges an upgrade as previewed, or asks what has become of an earlier confirmation. */
export async function confirmPlanChange(
  quote: string,
): Promise<Result<ConfirmPlanChangeAnswer, ConfirmationFailure>> {
  const answer = await invokeAsUser('confirm-plan-change', { quote }, confirmPlanChangeAnswer)
  if (answer.ok || answer.failure.code !== 'quote_changed') return answer
  const preview = z.safeParse(planPreview, answer.failure.details).data
  return { ok: false, failure: { ...answer.failure, preview } }
}

/** Sets the plan of the next renewal: one that costs less, or by null the paid one again, at its price. */
export const changeNextPlan = (plan: PayablePlanId | null) =>
  invokeAsUser('change-next-plan', { plan }, nextPlanAnswer)

export const endSubscription = () => invokeAsUser('end-subscription', {}, subscriptionEndAnswer)
export const resumeSubscription = () => invokeAsUser('resume-subscription', {}, subscriptionEndAnswer)
