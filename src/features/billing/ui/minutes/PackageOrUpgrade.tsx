import { useEffect, useState } from 'react'
import { minutePackage, payablePlanIds, planById, planName, priceAmount } from '#plans/domain/plans.ts'
import { previewPlanChange } from '#billing/browser/plan-change.ts'
import { expectedBeyond, type MinutesState } from '#billing/domain/minutes/packages.ts'
import { compareForPeriod } from '#billing/domain/minutes/plan-advice.ts'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped, money } from '#platform/domain/text/numbers.ts'
import { stack } from '#platform/domain/app-variants.ts'
import { ledger } from '#platform/domain/variants.ts'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

interface Props {
  subscription: Subscription
  minutes: MinutesState
}

type Preview = { status: 'loading' } | { status: 'none' } | { status: 'ready'; preview: PlanPreview }

/**
 * Compares packages with the next larger plan for the rest of the period, before a package is bought. Customers whose minutes
 * last are told so, and are not advised to buy anything.
 */
export function PackageOrUpgrade({ subscription, minutes }: Props) {
  const need = neededNow(subscription, minutes)
  if (need > 0) return <Comparing subscription={subscription} need={need} />
  const { minutes_used: used, minutes_limit: limit, current_period_end: end } = subscription
  return used < limit && <p>At this pace your minutes last until {dayLabel(end)}.</p>
}

interface Needing {
  subscription: Subscription
  /** The minutes that are expected beyond the limit: at least one. */
  need: number
}

function Comparing({ subscription, need }: Needing) {
  const { price_cents: own } = subscription
  const larger = payablePlanIds.find((id) => own !== null && (planById(id).priceCents ?? 0) > own)
  const [state, setState] = useState<Preview>({ status: larger ? 'loading' : 'none' })
  useEffect(
    () =>
      larger &&
      takeAnswer(previewPlanChange(larger), (answer) =>
        // Without a preview the plan cannot be changed now: there is nothing to compare.
        setState(answer.ok ? { status: 'ready', preview: answer.value } : { status: 'none' }),
      ),
    [larger],
  )
  if (state.status === 'none') return null
  return (
    <div aria-live="polite">
      {state.status === 'loading' ? (
        <p className="text-sm text-ink-2">Comparing with an upgrade...</p>
      ) : (
        <Comparison subscription={subscription} need={need} preview={state.preview} />
      )}
    </div>
  )
}

function neededNow(subscription: Subscription, minutes: MinutesState): number {
  const { minutes_used: used, minutes_limit: limit, current_period_end: end } = subscription
  const period = { start: Date.parse(minutes.period_start ?? ''), end: Date.parse(end ?? '') }
  return expectedBeyond({ used, limit }, period, Date.now())
}

function Comparison({ subscription, need, preview }: Needing & { preview: PlanPreview }) {
  const { current_period_end: end } = subscription
  const { charge, back, to, currency, minutes_now: before, minutes_after: after } = preview
  const compared = compareForPeriod(need, { cost: charge - back, minutes: after - before })
  const { packages, packagesCost, upgradePackages, upgradeCost, cheaper } = compared
  const amount = (cents: number): string => money(cents, currency)
  const plan = planName(to)
  const saved = amount(Math.abs(packagesCost - upgradeCost))
  const each = priceAmount(minutePackage.cents)
  return (
    <div className={stack}>
      <p>
        At this pace you need {grouped(need)} more {need === 1 ? 'minute' : 'minutes'} until {dayLabel(end)}.{' '}
        <b>
          {cheaper === 'packages' ? `Packages are cheaper now` : `An upgrade to ${plan} is cheaper now`}
          {packagesCost === upgradeCost ? ', for more minutes' : `, by ${saved}`}.
        </b>
      </p>
      <dl className={`${ledger} text-sm`}>
        <div>
          <dt>
            Packages: {packages} × {each}, {grouped(packages * minutePackage.minutes)} minutes
          </dt>
          <dd>{amount(packagesCost)}</dd>
        </div>
        <div>
          <dt>
            {plan}: {amount(charge)} − {amount(back)} for unused time
            {upgradePackages > 0 && ` + ${upgradePackages} × ${each}`}, {grouped(after - before)} minutes
            {upgradePackages > 0 && ` and ${grouped(upgradePackages * minutePackage.minutes)}`}
          </dt>
          <dd>{amount(upgradeCost)}</dd>
        </div>
      </dl>
      <p className="text-sm text-ink-2">
        This is for the running period. {plan} then renews at {priceAmount(preview.renewal)} a month, unless
        you switch back before.
      </p>
    </div>
  )
}
