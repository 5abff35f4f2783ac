import type { ReactElement } from 'react'
import { dotField } from '#platform/domain/drawing.ts'
import {
  currencyName,
  exactPrice,
  minutesPerDot,
  planFacts,
  priceLabel,
  type Plan,
} from '#plans/domain/plans.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { routes } from '#platform/domain/routes.ts'
import { useInBrowser } from '#platform/ui/hooks/useInBrowser.ts'
import { OfPlan } from './OfPlan.tsx'
import { cell, textButton, ledger } from '#platform/domain/variants.ts'
import { stack, titleRow } from '#platform/domain/app-variants.ts'

/** Returns when a plan that is bought now renews: a month from now, at the latest on the last day of that month. */
function renewal(): string {
  const now = new Date()
  const month = now.getUTCMonth() + 1
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = new Date(Date.UTC(now.getUTCFullYear(), month, Math.min(now.getUTCDate(), lastDay)))
  return dayLabel(day.toISOString(), 'UTC') ?? ''
}

/** The order, line by line. */
export function OrderSummary({ plan }: { plan: Plan | undefined }): ReactElement {
  const renews = useInBrowser(renewal, 'In a month')
  return (
    <aside className={cell({ span: 6, room: 'tall', class: [stack, 'bg-well'] })} aria-labelledby="summary">
      <div className={titleRow}>
        <h2 className="text-label text-ink-2 uppercase" id="summary">
          Order summary
        </h2>
        <a className={textButton({ size: 'small', class: '-my-2.5 text-sm' })} href={routes.pricing}>
          Change plan
        </a>
      </div>
      <OfPlan as="div" plan={plan}>
        {(each) => <Order plan={each} renews={renews} />}
      </OfPlan>
    </aside>
  )
}

function Order({ plan, renews }: { plan: Plan; renews: string }): ReactElement {
  const dots = dotField(plan.minutes / minutesPerDot)
  return (
    <div className={stack}>
      <p className="text-h3">{plan.name}</p>
      <p>
        <span className="mb-2.5 block text-figure tabular-nums">{priceLabel(plan)}</span>
        <span className="text-ink-2">a month, in {currencyName}</span>
      </p>
      <div className="max-w-[22rem]">
        <svg className="hundred" viewBox={dots.viewBox} aria-hidden="true">
          <path className="dots off" d={dots.unlit} />
          <path className="dots" d={dots.lit} />
        </svg>
      </div>
      <p className="text-sm text-ink-2">One dot is {minutesPerDot} minutes a month.</p>
      <dl className={`${ledger} text-sm`}>
        {planFacts(plan).map(({ term, value }) => (
          <Line key={term} term={term} value={value} />
        ))}
        <Line term="Renews" value={renews} />
        <div data-sum>
          <dt>Due today</dt>
          <dd>{plan.priceCents && exactPrice(plan.priceCents)}</dd>
        </div>
      </dl>
    </div>
  )
}

const Line = ({ term, value }: { term: string; value: string }): ReactElement => (
  <div>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </div>
)
