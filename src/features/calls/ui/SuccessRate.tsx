import { successRate, type CallOverview } from '#calls/domain/calls.ts'
import { dotField } from '#platform/domain/drawing.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { cell } from '#platform/domain/variants.ts'

/** The percentage of the period's calls that ended without a person stepping in. */
export function SuccessRate({ overview }: { overview: CallOverview }) {
  const rate = successRate(overview)
  const { viewBox, lit, unlit } = dotField(rate ?? 0, 25, 4)
  return (
    <div className={cell({ class: 'grid content-start gap-4' })}>
      <h2 className="text-h4">Success rate</h2>
      {rate === null ? (
        <p className="text-sm text-ink-2">We do not know yet how this period’s calls ended.</p>
      ) : (
        <>
          <p className="mt-4 text-figure tabular-nums">{rate}%</p>
          <svg className="hundred" viewBox={viewBox} aria-hidden="true">
            <path className="dots off" d={unlit} />
            <path className="dots" d={lit} />
          </svg>
          <p className="text-sm text-ink-2">
            {grouped(overview.succeeded)} of {grouped(overview.judged)}{' '}
            {overview.judged === 1 ? 'call' : 'calls'} this period ended without a person stepping in.
          </p>
        </>
      )}
    </div>
  )
}
