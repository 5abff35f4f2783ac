import type { ReactElement } from 'react'
import { dotField } from '#platform/domain/drawing.ts'
import {
  currencyName,
  exactPrice,
  minutesPerDot,
  planById,
  planFacts,
  priceLabel,
  type Plan,
} from '#plans/domain/plans.ts'
import { routes } from '#platform/domain/routes.ts'
import { cell, textButton, ledger } from '#platform/domain/variants.ts'
import { stack, titleRow } from '#platform/domain/app-variants.ts'

const blank = '\u00a0'

/** The order, line by line. The lines are empty until the plan is known. */
export function OrderSummary({ plan }: { plan: Plan | undefined }): ReactElement {
  const dots = dotField(plan ? plan.minutes / minutesPerDot : 0)
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
      <p className="text-h3">{plan?.name ?? blank}</p>
      <p>
        <span className="mb-2.5 block text-figure tabular-nums">{plan ? priceLabel(plan) : blank}</span>
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
        {planFacts(plan ?? planById('starter')).map(({ term, value }) => (
          <Line key={term} term={term} value={plan ? value : blank} />
        ))}
        <Line term="Renews" value={plan ? 'Every month' : blank} />
        <div data-sum>
          <dt>Due today</dt>
          <dd>{plan?.priceCents ? exactPrice(plan.priceCents) : blank}</dd>
        </div>
      </dl>
    </aside>
  )
}

const Line = ({ term, value }: { term: string; value: string }): ReactElement => (
  <div>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </div>
)
