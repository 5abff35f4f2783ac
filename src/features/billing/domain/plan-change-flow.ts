import { planName, type PayablePlanId } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/dates.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import type { CommonCommand, Transition } from '#platform/domain/transition.ts'
import type { PlanPreview } from './plan-change-contracts.ts'

/** A change that costs nothing now. */
export type FreeChange =
  | { type: 'nextPlan'; plan: PayablePlanId; isTakenBack: boolean; keeps?: Keeps | undefined }
  | { type: 'end' }
  | { type: 'resume' }

/** The agents and numbers that were chosen to go on with a smaller plan. */
interface Keeps {
  agents: readonly string[]
  numbers: readonly string[]
}

/** A change of plan in the portal. A problem of the last attempt stays until the next one. */
export type PlanChangeState =
  | { step: 'idle'; problem?: string }
  | { step: 'previewing'; plan: PayablePlanId }
  /** The dialog with the amounts is open. */
  | { step: 'previewed'; preview: PlanPreview; problem?: string }
  | { step: 'confirming'; preview: PlanPreview }
  /** The bank asks for 3-D Secure. */
  | { step: 'authenticating'; preview: PlanPreview }
  /** A dialog asks whether the change is meant. */
  | { step: 'asking'; change: FreeChange }
  | { step: 'saving'; change: FreeChange }

export type PlanChangeEvent =
  | { type: 'upgradeChosen'; plan: PayablePlanId }
  | { type: 'previewMade'; preview: PlanPreview }
  | { type: 'confirmed'; keeps?: Keeps | undefined }
  | { type: 'cancelled' }
  | { type: 'planChanged' }
  | { type: 'actionRequired'; clientSecret: string }
  | { type: 'authenticationEnded' }
  | { type: 'quoteChanged'; preview: PlanPreview; message: string }
  /** There was no answer. Confirming again asks what has become of the change. */
  | { type: 'answerLost'; message: string }
  | { type: 'changeChosen'; change: FreeChange }
  | { type: 'changeSaved'; from: string | null }
  | { type: 'refused'; message: string }

export type PlanChangeCommand =
  | CommonCommand
  | { type: 'preview'; plan: PayablePlanId }
  | { type: 'confirm'; quote: string }
  | { type: 'authenticate'; clientSecret: string }
  | { type: 'save'; change: FreeChange }
  | { type: 'refresh' }

type PlanChangeTransition = Transition<PlanChangeState, PlanChangeCommand>

const to = (state: PlanChangeState, ...commands: PlanChangeCommand[]): PlanChangeTransition => ({
  state,
  commands,
})

/** An event that a state does not expect changes nothing. */
export function transition(state: PlanChangeState, event: PlanChangeEvent): PlanChangeTransition {
  switch (event.type) {
    case 'upgradeChosen':
      return state.step === 'idle'
        ? to({ step: 'previewing', plan: event.plan }, { type: 'preview', plan: event.plan })
        : to(state)
    case 'previewMade':
      return state.step === 'previewing' ? to({ step: 'previewed', preview: event.preview }) : to(state)
    case 'confirmed':
      if (state.step === 'previewed') return confirming(state.preview)
      if (state.step !== 'asking') return to(state)
      return saving(
        event.keeps && state.change.type === 'nextPlan'
          ? { ...state.change, keeps: event.keeps }
          : state.change,
      )
    case 'cancelled':
      return state.step === 'previewed' || state.step === 'asking' ? to({ step: 'idle' }) : to(state)
    case 'actionRequired':
      return state.step === 'confirming'
        ? to(
            { step: 'authenticating', preview: state.preview },
            { type: 'authenticate', clientSecret: event.clientSecret },
          )
        : to(state)
    // Finished or failed: the server reads from the provider what has become of the payment.
    case 'authenticationEnded':
      return state.step === 'authenticating' ? confirming(state.preview) : to(state)
    case 'planChanged':
      return state.step === 'confirming'
        ? to(
            { step: 'idle' },
            { type: 'refresh' },
            { type: 'raiseToast', toast: toasts.planChanged(planName(state.preview.to)) },
          )
        : to(state)
    case 'quoteChanged':
      return state.step === 'confirming'
        ? to({ step: 'previewed', preview: event.preview, problem: event.message })
        : to(state)
    case 'answerLost':
      return state.step === 'confirming'
        ? to({ step: 'previewed', preview: state.preview, problem: event.message })
        : to(state)
    case 'changeChosen':
      if (state.step !== 'idle') return to(state)
      // A change that only takes an earlier one back needs no second question.
      return event.change.type === 'resume' || (event.change.type === 'nextPlan' && event.change.isTakenBack)
        ? saving(event.change)
        : to({ step: 'asking', change: event.change })
    case 'changeSaved':
      return state.step === 'saving'
        ? to(
            { step: 'idle' },
            { type: 'refresh' },
            { type: 'raiseToast', toast: savedToast(state.change, event.from) },
          )
        : to(state)
    case 'refused':
      return state.step === 'previewing' || state.step === 'confirming' || state.step === 'saving'
        ? to({ step: 'idle', problem: event.message }, { type: 'refresh' })
        : to(state)
  }
}

const confirming = (preview: PlanPreview): PlanChangeTransition =>
  to({ step: 'confirming', preview }, { type: 'confirm', quote: preview.quote })

const saving = (change: FreeChange): PlanChangeTransition =>
  to({ step: 'saving', change }, { type: 'save', change })

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
