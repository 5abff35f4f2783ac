import { useEffect, useRef } from 'react'
import type { Plan, PayablePlanId } from '#plans/domain/plans.ts'
import { isPayablePlanId, planById, planName, priceAmount } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/dates.ts'
import { grouped } from '#platform/domain/numbers.ts'
import type { FreeChange, PlanChangeEvent } from '#billing/domain/plan-change-flow.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useFlow } from '#platform/ui/useFlow.ts'
import { NextPlanAgents, SwitchDialog } from './GoingOn.tsx'
import { createPlanChangeFlow } from './plan-change-flow.ts'
import { PlanCards } from './PlanCards.tsx'
import { UpgradePreview } from './UpgradePreview.tsx'
import { WaitingPackages } from './WaitingPackages.tsx'

const nothingToOpen = () => undefined

/** Changes the plan of a running subscription, ends it, and takes both back. */
export function PlanChange({ subscription, userId }: { subscription: Subscription; userId: string }) {
  const { state, send } = useFlow(createPlanChangeFlow, nothingToOpen)
  const { plan: own, price_cents: cents, plan_minutes: minutes, cancel_at: ends } = subscription
  const isBusy = state.step !== 'idle'
  const { next_plan: next, next_price_cents: nextCents } = subscription
  const shown = useRef(`${own} ${next} ${nextCents} ${ends}`)
  useEffect(() => {
    const now = `${own} ${next} ${nextCents} ${ends}`
    // The page may read the change while the dialog is still open. The dialog has the focus then.
    if (isBusy || shown.current === now) return
    shown.current = now
    // The button that was pressed may have gone with the change.
    if (document.activeElement === document.body) document.getElementById('plans')?.focus()
  }, [own, next, nextCents, ends, isBusy])
  const day = dayLabel(subscription.current_period_end) ?? 'the end of the period'
  return (
    <>
      <PlanCards
        title="Change your plan"
        lead={<Lead subscription={subscription} day={day} />}
        own={{ plan: own, cents, minutes }}
        action={(plan) => (
          <PlanAction
            plan={plan}
            subscription={subscription}
            busyPlan={busyPlan(state.step === 'previewing' ? state.plan : null, isBusy)}
            send={send}
          />
        )}
      >
        {next !== null && isPayablePlanId(next) && next !== own && ends === null && (
          <NextPlanAgents key={next} plan={next} day={day} userId={userId} />
        )}
        {state.step === 'idle' && state.problem && (
          <div className="row rule">
            <p className="c12 err" role="alert">
              {state.problem}
            </p>
          </div>
        )}
        {state.step === 'authenticating' && (
          <div className="row rule">
            <p className="c12" role="status">
              Your bank asks you to confirm the payment. Your plan changes as soon as it is done.
            </p>
          </div>
        )}
        <div className="row rule">
          <p className="c8 sm dim">
            {ends
              ? `Your agent answers until ${dayLabel(ends)}. Your setup, calls and invoices are kept.`
              : `If you end it, your agent answers until ${day}. Your setup, calls and invoices are kept.`}
          </p>
          <div>
            <button
              className={ends ? 'btn full' : 'btn two full'}
              type="button"
              // Keeps the focus while it is at work; the flow ignores further presses.
              aria-disabled={isBusy}
              onClick={() => send({ type: 'changeChosen', change: { type: ends ? 'resume' : 'end' } })}
            >
              {ends ? 'Keep subscription' : 'End subscription'}
            </button>
          </div>
        </div>
      </PlanCards>
      {(state.step === 'previewed' || state.step === 'confirming') && (
        <UpgradePreview
          preview={state.preview}
          problem={state.step === 'previewed' ? state.problem : undefined}
          isBusy={state.step === 'confirming'}
          send={send}
        />
      )}
      {state.step === 'asking' && (
        <ChangeDialog
          change={state.change}
          subscription={subscription}
          day={day}
          userId={userId}
          send={send}
        />
      )}
    </>
  )
}

/** Says which plan's button shows that it is at work: null for none, 'other' if anything else is under way. */
const busyPlan = (plan: PayablePlanId | null, isBusy: boolean): PayablePlanId | 'other' | null =>
  plan ?? (isBusy ? 'other' : null)

const aMonth = (cents: number | null): string => `${priceAmount(cents ?? 0)} a month`

/** Whether the next renewal is of another plan, or at another price. */
const changesNext = ({ plan, price_cents, next_plan, next_price_cents }: Subscription): boolean =>
  next_plan !== null && (next_plan !== plan || next_price_cents !== price_cents)

function Lead({ subscription, day }: { subscription: Subscription; day: string }) {
  const { plan, next_plan: next, cancel_at: ends } = subscription
  if (ends)
    return <p>Your subscription ends on {dayLabel(ends)}. Keep it first if you want to change the plan.</p>
  if (next !== null && next !== plan)
    return (
      <p>
        {planName(plan)} until {day}, then {planName(next)}.
      </p>
    )
  if (changesNext(subscription))
    return (
      <p>
        {planName(plan)} at {aMonth(subscription.price_cents)} until {day}, then at{' '}
        {aMonth(subscription.next_price_cents)}, with {grouped(subscription.next_minutes ?? 0)} minutes.
      </p>
    )
  return (
    <p>
      A larger plan begins at once: you pay the difference for the rest of the period, and see it first. A
      smaller one begins with the next period.
    </p>
  )
}

interface ActionProps {
  plan: Plan
  subscription: Subscription
  busyPlan: PayablePlanId | 'other' | null
  send: (event: PlanChangeEvent) => void
}

/**
 * The buttons of one plan: a larger plan now, a smaller one later; the present one again, or later at today's price if that is
 * lower.
 */
function PlanAction({ plan, subscription, busyPlan, send }: ActionProps) {
  const { plan: own, next_plan: next, price_cents, cancel_at: ends, current_period_end } = subscription
  const { id, name, priceCents, minutes } = plan
  if (!isPayablePlanId(id) || ends) return null
  const isNext = changesNext(subscription)
  const choose = (label: string, event: PlanChangeEvent, isMain: boolean) => (
    <button
      className={isMain ? 'btn' : 'btn two'}
      type="button"
      // Keeps the focus while it is at work; the flow ignores further presses.
      aria-disabled={busyPlan !== null}
      onClick={() => send(event)}
    >
      {busyPlan === id ? 'Calculating...' : label}
    </button>
  )
  const chosen = (isTakenBack: boolean): PlanChangeEvent => ({
    type: 'changeChosen',
    change: { type: 'nextPlan', plan: id, isTakenBack },
  })
  if (id === own) {
    const isCheaperNow = (priceCents ?? 0) < (price_cents ?? 0)
    const isNoted = next === own && subscription.next_price_cents === priceCents
    return (
      <>
        {isNext && choose(`Keep ${next === own ? aMonth(price_cents) : name}`, chosen(true), true)}
        {isCheaperNow && !isNoted && (
          <>
            <p className="sm dim">
              {name} is sold at {aMonth(priceCents)} today, with {grouped(minutes)} minutes.
            </p>
            {choose(`Switch to ${aMonth(priceCents)}`, chosen(false), false)}
          </>
        )}
      </>
    )
  }
  if (id === next) return <p className="sm dim from">From {dayLabel(current_period_end)}</p>
  if ((priceCents ?? 0) > (price_cents ?? 0))
    return choose(`Upgrade to ${name}`, { type: 'upgradeChosen', plan: id }, !isNext)
  return choose(`Switch to ${name}`, chosen(false), false)
}

interface DialogProps {
  change: FreeChange
  subscription: Subscription
  day: string
  userId: string
  send: (event: PlanChangeEvent) => void
}

/** Asks before a smaller plan or a lower price is noted, or the subscription is ended. */
function ChangeDialog({ change, subscription, day, userId, send }: DialogProps) {
  const buttons = {
    onConfirm: () => send({ type: 'confirmed' }),
    onCancel: () => send({ type: 'cancelled' }),
  }
  const { plan: own, price_cents: cents, plan_minutes: minutes } = subscription
  if (change.type === 'nextPlan' && change.plan !== own)
    return (
      <SwitchDialog
        plan={change.plan}
        own={own}
        day={day}
        userId={userId}
        onConfirm={(keeps) => send({ type: 'confirmed', keeps })}
        onCancel={buttons.onCancel}
      />
    )
  if (change.type === 'nextPlan') {
    const { name, priceCents, minutes: later } = planById(change.plan)
    const target = aMonth(priceCents)
    return (
      <ConfirmDialog title={`Switch to ${target}?`} action={`Switch to ${target}`} isHarmless {...buttons}>
        <p>
          You keep {aMonth(cents)} with {grouped(minutes ?? 0)} minutes until {day}. From then on, {name} is{' '}
          {target}, with {grouped(later)} minutes. Nothing is charged now. You can take this back until then;
          later, the price of {aMonth(cents)} is no longer sold.
        </p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog title="End your subscription?" action="End subscription" {...buttons}>
      <div className="stack">
        <p>
          Your agent answers until {day}, and then stops taking calls. The plan is not charged again. Your
          setup, calls and invoices are kept, and you can take this back until then.
        </p>
        <WaitingPackages />
      </div>
    </ConfirmDialog>
  )
}
