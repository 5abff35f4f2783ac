import { grouped } from '#platform/domain/text/numbers.ts'
import { minutesPercent, minutesShare, type Subscription } from '#billing/domain/subscription.ts'

const width = 750
const ticks = Array.from({ length: 16 }, (_, index) => `M${index * 50} 44v${index % 5 === 0 ? 12 : 6}`).join(
  '',
)

interface Props {
  subscription: Subscription
  /** Share of the period that has passed, 0 to 1; null if it is not known. */
  elapsed: number | null
}

/** The used minutes as a bar that ends at 100%. The dashed line shows where even use would be. */
export function MinutesGauge({ subscription, elapsed }: Props) {
  const { minutes_used, minutes_limit } = subscription
  const share = minutesShare(subscription)
  const percent = minutesPercent(subscription)
  const reading = `${grouped(minutes_used)} of ${grouped(minutes_limit)} minutes`
  return (
    <>
      <div
        role="progressbar"
        aria-label="Minutes used"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={reading}
      >
        <svg
          className="h-14 w-full *:[vector-effect:non-scaling-stroke]"
          viewBox={`0 0 ${width} 56`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className="fill-well" y="14" width={width} height="24" />
          <rect className="fi" y="14" width={width * share} height="24" />
          <path className="stroke-edge" d={ticks} />
          {elapsed !== null && (
            <>
              {/* Keeps the line visible on the bar. */}
              <path className="stroke-paper stroke-6" d={`M${Math.round(width * elapsed)} 14v24`} />
              <path
                className="stroke-ink stroke-2 [stroke-dasharray:3_3]"
                d={`M${Math.round(width * elapsed)} 2v48`}
              />
            </>
          )}
        </svg>
      </div>
      <p className="flex max-w-none flex-wrap justify-between gap-x-4 text-sm/[1.5]">
        <b className="whitespace-nowrap">{reading}</b>
        <span className="text-ink-2">{percent}% used in this period</span>
        {elapsed !== null && (
          <span className="text-ink-2">
            Dashed line: {grouped(Math.round(minutes_limit * elapsed))} by today, at even use
          </span>
        )}
      </p>
    </>
  )
}
