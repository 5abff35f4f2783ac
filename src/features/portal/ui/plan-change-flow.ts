import {
  transition,
  type FreeChange,
  type PlanChangeCommand,
  type PlanChangeEvent,
  type PlanChangeState,
} from '#billing/domain/plan-change-flow.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import {
  changeNextPlan,
  confirmPlanChange,
  endSubscription,
  previewPlanChange,
  resumeSubscription,
} from '#billing/browser/plan-change.ts'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import { authenticatePayment } from '#checkout/browser/stripe.ts'
import { runCommonCommand } from '#platform/browser/common-commands.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import { chooseForPlan } from '#telephony/browser/my-agent.ts'
import { choiceProblems } from '#telephony/domain/going-on.ts'

async function save(change: FreeChange): Promise<PlanChangeEvent> {
  if (change.type === 'nextPlan') {
    // Chosen first: a choice has no effect without the plan, and the plan would begin with the oldest.
    const chosen = change.keeps ? await chooseForPlan(change.plan, change.keeps) : 'saved'
    if (chosen !== 'saved') return { type: 'refused', message: choiceProblems[chosen] }
    const saved = await changeNextPlan(change.isTakenBack ? null : change.plan)
    return saved.ok
      ? { type: 'changeSaved', from: saved.value.from }
      : { type: 'refused', message: saved.failure.message }
  }
  const saved = await (change.type === 'end' ? endSubscription() : resumeSubscription())
  return saved.ok
    ? { type: 'changeSaved', from: saved.value.cancel_at }
    : { type: 'refused', message: saved.failure.message }
}

async function confirm(quote: string): Promise<PlanChangeEvent> {
  const answer = await confirmPlanChange(quote)
  if (answer.ok) {
    return answer.value.status === 'changed'
      ? { type: 'planChanged' }
      : { type: 'actionRequired', clientSecret: answer.value.clientSecret }
  }
  const { code, message, answered, preview } = answer.failure
  if (preview) return { type: 'quoteChanged', preview, message }
  return !answered || code === 'provider_unavailable' || code === 'internal'
    ? { type: 'answerLost', message }
    : { type: 'refused', message }
}

async function run(command: PlanChangeCommand): Promise<PlanChangeEvent | undefined> {
  switch (command.type) {
    case 'preview': {
      const made = await previewPlanChange(command.plan)
      return made.ok
        ? { type: 'previewMade', preview: made.value }
        : { type: 'refused', message: made.failure.message }
    }
    case 'confirm':
      return confirm(command.quote)
    case 'authenticate':
      await authenticatePayment(command.clientSecret)
      return { type: 'authenticationEnded' }
    case 'save':
      return save(command.change)
    case 'refresh':
      return void refreshSubscription()
    default:
      return void runCommonCommand(command satisfies CommonCommand)
  }
}

export const createPlanChangeFlow = (): Flow<PlanChangeState, PlanChangeEvent> =>
  createFlow({ initial: { step: 'idle' } as PlanChangeState, transition, run })
