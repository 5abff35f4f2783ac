import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Plan, PayablePlanId } from '#plans/domain/plans.ts'
import { isPayablePlanId, planById, planName, priceAmount } from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import type { FreeChange, SaveChoice } from '#billing/browser/change-plan.ts'
import { PlanCards } from '#billing/ui/PlanCards.tsx'
import { planCard } from '#plans/domain/plan-card.ts'
import { UpgradePreview } from './UpgradePreview.tsx'
import { usePlanChange } from './usePlanChange.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { button, cell, gridRow } from '#platform/domain/variants.ts'

/** A smaller plan that is to begin. */
interface SmallerPlan {
  plan: PayablePlanId
  /** The day on which it begins. */
  day: string
}

interface Props {
  subscription: Subscription
  /** Says what goes on with a smaller plan that is noted, and lets the customer choose anew. */
  goingOn: (smaller: SmallerPlan) => ReactNode
  /** Asks before a smaller plan is noted, and what goes on with it. */
  switchDialog: (
    smaller: SmallerPlan & {
      /** The plan until then. */
      own: string
      onConfirm: (saveChoice?: SaveChoice) => void
      onCancel: () => void
    },
  ) => ReactNode
}

/** Changes the plan of a running subscription, and takes that back. */
export function PlanChange({ subscription, goingOn, switchDialog }: Props) {
  const { dialog, work, problem, isPending, chooseUpgrade, confirmUpgrade, chooseChange, save, cancel } =
    usePlanChange()
  const { plan: own, price_cents: cents, plan_minutes: minutes, cancel_at: ends } = subscription
  const isBusy = isPending || dialog !== undefined
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
  const [asked] = useState(() => askedPlan(subscription))
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    const address = new URL(location.href)
    if (!address.searchParams.has('plan')) return
    address.searchParams.delete('plan')
    history.replaceState(history.state, '', address)
    if (asked) chooseUpgrade(asked)
  })

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
            // Says which plan's button shows that it is at work.
            busyPlan={work && typeof work === 'object' ? work.previewing : isBusy ? 'other' : null}
            onUpgrade={chooseUpgrade}
            onChange={chooseChange}
          />
        )}
      >
        {next !== null &&
          isPayablePlanId(next) &&
          next !== own &&
          ends === null &&
          goingOn({ plan: next, day })}
        {problem && (
          <div className={`${gridRow} border-t`}>
            <p className={cell({ span: 12, class: problemLine })} role="alert">
              {problem.message}
            </p>
          </div>
        )}
        {work === 'authenticating' && (
          <div className={`${gridRow} border-t`}>
            <p className={cell({ span: 12 })} role="status">
              Your bank asks you to confirm the payment. Your plan changes as soon as it is done.
            </p>
          </div>
        )}
      </PlanCards>
      {dialog && 'preview' in dialog && work !== 'authenticating' && (
        <UpgradePreview
          preview={dialog.preview}
          problem={dialog.problem}
          isBusy={isPending}
          onConfirm={() => confirmUpgrade(dialog.preview)}
          onCancel={cancel}
        />
      )}
      {dialog && 'change' in dialog && (
        <ChangeDialog
          change={dialog.change}
          subscription={subscription}
          day={day}
          switchDialog={switchDialog}
          onConfirm={(saveChoice) => save(dialog.change, saveChoice)}
          onCancel={cancel}
        />
      )}
    </>
  )
}

/** Returns the larger plan that the address asks for, as a choice on the page of prices does. */
function askedPlan({ price_cents: own, cancel_at: ends }: Subscription): PayablePlanId | undefined {
  const id = new URLSearchParams(location.search).get('plan')
  if (id === null || !isPayablePlanId(id) || ends !== null) return undefined
  return (planById(id).priceCents ?? 0) > (own ?? Infinity) ? id : undefined
}

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
  /** The plan whose button shows that it is at work: null for none, 'other' if anything else is under way. */
  busyPlan: PayablePlanId | 'other' | null
  onUpgrade: (plan: PayablePlanId) => void
  onChange: (change: FreeChange) => void
}

/**
 * The buttons of one plan: a larger plan now, a smaller one later; the present one again, or later at today's price if that is
 * lower.
 */
function PlanAction({ plan, subscription, busyPlan, onUpgrade, onChange }: ActionProps) {
  const { plan: own, next_plan: next, price_cents, cancel_at: ends, current_period_end } = subscription
  const { id, name, priceCents, minutes } = plan
  if (!isPayablePlanId(id) || ends) return null
  const isNext = changesNext(subscription)
  const choose = (label: string, onPress: () => void, isMain: boolean) => (
    <button
      className={button({ kind: isMain ? 'main' : 'other', class: planCard.action })}
      type="button"
      // Keeps the focus while it is at work; further presses do nothing.
      aria-disabled={busyPlan !== null}
      onClick={onPress}
    >
      {busyPlan === id ? 'Calculating...' : label}
    </button>
  )
  const change = (isTakenBack: boolean) => () => onChange({ type: 'nextPlan', plan: id, isTakenBack })
  if (id === own) {
    const isCheaperNow = (priceCents ?? 0) < (price_cents ?? 0)
    const isNoted = next === own && subscription.next_price_cents === priceCents
    return (
      <>
        {isNext && choose(`Keep ${next === own ? aMonth(price_cents) : name}`, change(true), true)}
        {isCheaperNow && !isNoted && (
          <>
            <p className="text-sm text-ink-2">
              {name} is sold at {aMonth(priceCents)} today, with {grouped(minutes)} minutes.
            </p>
            {choose(`Switch to ${aMonth(priceCents)}`, change(false), false)}
          </>
        )}
      </>
    )
  }
  if (id === next) return <p className="from text-sm text-ink-2">From {dayLabel(current_period_end)}</p>
  if ((priceCents ?? 0) > (price_cents ?? 0))
    return choose(`Upgrade to ${name}`, () => onUpgrade(id), !isNext)
  return choose(`Switch to ${name}`, change(false), false)
}

interface DialogProps extends Pick<Props, 'subscription' | 'switchDialog'> {
  change: FreeChange
  day: string
  onConfirm: (saveChoice?: SaveChoice) => void
  onCancel: () => void
}

/** Asks before a smaller plan or a lower price is noted. */
function ChangeDialog({ change, subscription, day, switchDialog, onConfirm, onCancel }: DialogProps) {
  const buttons = { onConfirm: () => onConfirm(), onCancel }
  const { plan: own, price_cents: cents, plan_minutes: minutes } = subscription
  if (change.type === 'nextPlan' && change.plan !== own)
    return switchDialog({ plan: change.plan, own, day, onConfirm, onCancel })
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
  return null
}
