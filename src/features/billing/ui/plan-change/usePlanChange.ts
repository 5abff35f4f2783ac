import { useState } from 'react'
import {
  changeNextPlan,
  confirmPlanChange,
  endSubscription,
  previewPlanChange,
  resumeSubscription,
} from '#billing/browser/plan-change.ts'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import {
  previewUpgrade,
  saveChange,
  upgrade,
  type FreeChange,
  type PlanClients,
  type SaveChoice,
} from '#billing/browser/change-plan.ts'
import type { PayablePlanId } from '#plans/domain/plans.ts'
import { onUse } from '#platform/browser/loading.ts'
import { useForm } from '#platform/ui/fields/useForm.ts'

const clients: Omit<PlanClients, 'authenticate'> = {
  preview: previewPlanChange,
  confirm: confirmPlanChange,
  changeNextPlan,
  endSubscription,
  resumeSubscription,
  refresh: refreshSubscription,
}

/** What is open: the amounts of an upgrade with the problem of the last attempt, or the question whether a change is meant. */
type Dialog = { preview: PlanPreview; problem?: string } | { change: FreeChange }

/** What is under way: the preview of a plan, the bank's confirmation, or anything else. */
type Work = { previewing: PayablePlanId } | 'authenticating' | null

/** Runs the change of a plan, and keeps what is open meanwhile. */
export function usePlanChange() {
  const [dialog, setDialog] = useState<Dialog>()
  const [work, setWork] = useState<Work>(null)
  // A problem is announced where it stands.
  const { problem, isPending, attempt, edited } = useForm<'change'>({ focus: () => undefined })

  const chooseUpgrade = (plan: PayablePlanId): void =>
    void attempt(async () => {
      setWork({ previewing: plan })
      const made = await previewUpgrade(plan, clients)
      setWork(null)
      if (!('preview' in made)) return made
      setDialog(made)
      return undefined
    })
  const confirmUpgrade = (preview: PlanPreview): void =>
    void attempt(async () => {
      setDialog({ preview })
      const ended = await upgrade(preview, {
        ...clients,
        authenticate: async (clientSecret) => {
          setWork('authenticating')
          // If its code does not load, the payment waits at the bank, and the server says so.
          await onUse(import('#billing/browser/stripe.ts'), ({ confirmPayment }) =>
            confirmPayment(clientSecret),
          )
          setWork(null)
        },
      })
      if ('preview' in ended) {
        setDialog(ended)
        return undefined
      }
      setDialog(undefined)
      return ended
    })
  const save = (change: FreeChange, saveChoice?: SaveChoice): void =>
    void attempt(() => {
      setDialog(undefined)
      return saveChange(change, saveChoice, clients)
    })
  const chooseChange = (change: FreeChange): void => {
    // A change that only takes an earlier one back needs no second question.
    if (change.type === 'resume' || (change.type === 'nextPlan' && change.isTakenBack)) return save(change)
    if (isPending) return
    edited('change')
    setDialog({ change })
  }
  const cancel = (): void => {
    if (!isPending) setDialog(undefined)
  }

  return {
    dialog,
    work: isPending ? work : null,
    problem,
    isPending,
    chooseUpgrade,
    confirmUpgrade,
    chooseChange,
    save,
    cancel,
  }
}
