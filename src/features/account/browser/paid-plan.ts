import { isPayablePlanId, type PayablePlanId } from '#plans/domain/plans.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { storageKey } from '#site'

const key = storageKey('paid_plan')

/** The plan that was paid in this tab, until the tab is closed. */
export const paidPlan = {
  note: (plan: PayablePlanId): void => void tabStorage.write(key, plan),
  read: (): PayablePlanId | null => {
    const plan = tabStorage.read(key)
    return isPayablePlanId(plan) ? plan : null
  },
}
