import { cva } from 'class-variance-authority'
import { grouped } from '#platform/domain/text/numbers.ts'
import { minutesChart, type DayOfMinutes, type MinutesChart } from '#calls/domain/minutes-chart.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { cell } from '#platform/domain/variants.ts'
import { dataTable } from '#platform/domain/app-variants.ts'

/** Rows of dots along a path, one for each ten units. */
const dots = '[stroke-dasharray:0_10] [stroke-linecap:round]'

const Chart = ({ chart, className }: { chart: MinutesChart; className: string }) => (
  <svg className={`mt-4 h-auto w-full ${className}`} viewBox={chart.viewBox} aria-hidden="true">
    {chart.grid.map(({ y, minutes, d }) => (
      <g key={y}>
        <path className="stroke-line" d={d} />
        <text className="md:max-lg:text-[22px]" x="0" y={y + 5}>
          {grouped(minutes)}
        </text>
      </g>
    ))}
    <path className="stroke-line" d={chart.base} />
    <path className={`${dots} stroke-ink stroke-[6.6]`} d={chart.past} />
    <path className={`${dots} stroke-signal stroke-[6.6]`} d={chart.today} />
    <path className={`${dots} stroke-edge stroke-3`} d={chart.ahead} />
    {chart.labels.map(({ x, text }) => (
      <text className="md:max-lg:text-[22px]" key={x} x={x} y="210">
        {text}
      </text>
    ))}
  </svg>
)

/** A dot before what it stands for. */
const key = cva("before:inline-block before:rounded-full before:content-['']", {
  variants: {
    of: {
      past: 'before:mr-2 before:size-[9px] before:bg-ink',
      today: 'before:mr-2 before:size-[9px] before:bg-signal',
      ahead: 'before:mt-0.5 before:mr-2.5 before:mb-0.5 before:ml-0.5 before:size-[5px] before:bg-edge',
    },
  },
})

/** How many days fit on a phone. */
const lastDays = 10

/** The period's days as columns of dots; on a narrow screen, the last ten days. */
export function MinutesPerDay({ days }: { days: readonly DayOfMinutes[] }) {
  const elapsed = days.filter(({ when }) => when !== 'ahead')
  const recent = elapsed.slice(-lastDays)
  const charts = [
    { chart: minutesChart(days, 848), className: 'hidden md:block' },
    { chart: minutesChart(recent, 320), className: 'md:hidden' },
  ]
  return (
    <div className={cell({ span: 8 })}>
      <h2 className="text-h4">Minutes per day</h2>
      {charts.map(({ chart, className }) => (
        <Chart key={className} chart={chart} className={className} />
      ))}
      <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
        {charts.map(({ chart, className }) => (
          <span key={className} className={`${key({ of: 'past' })} ${className}`}>
            {chart.minutesPerDot === 1
              ? 'One dot is one minute'
              : `One dot is ${chart.minutesPerDot} minutes`}
          </span>
        ))}
        <span className={key({ of: 'today' })}>Today so far</span>
        <span className={key({ of: 'ahead', class: 'hidden md:block' })}>Still to come</span>
      </p>
      <details className="text-sm">
        <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-[0.22em]">
          Show as a table
        </summary>
        <table className={dataTable()}>
          <thead>
            <tr>
              <th className="text-label text-ink-2 uppercase" scope="col">
                Day
              </th>
              <th className="text-right text-label text-ink-2 uppercase" scope="col">
                Minutes
              </th>
            </tr>
          </thead>
          <tbody>
            {elapsed.toReversed().map(({ day, minutes }) => (
              <tr key={day}>
                <td>{dayLabel(`${day}T12:00:00Z`, 'UTC')}</td>
                <td className="text-right">{grouped(minutes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}
