import { grouped } from '#platform/domain/text/numbers.ts'
import { minutesChart, type DayOfMinutes, type MinutesChart } from '#calls/domain/minutes-chart.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'

const Chart = ({ chart, className }: { chart: MinutesChart; className: string }) => (
  <svg className={`chart ${className}`} viewBox={chart.viewBox} aria-hidden="true">
    {chart.grid.map(({ y, minutes, d }) => (
      <g key={y}>
        <path className="gr" d={d} />
        <text x="0" y={y + 5}>
          {grouped(minutes)}
        </text>
      </g>
    ))}
    <path className="gr" d={chart.base} />
    <path className="dots" d={chart.past} />
    <path className="dots hot" d={chart.today} />
    <path className="dots off" d={chart.ahead} />
    {chart.labels.map(({ x, text }) => (
      <text key={x} x={x} y="210">
        {text}
      </text>
    ))}
  </svg>
)

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
    <div className="c8">
      <h2 className="text-h4">Minutes per day</h2>
      {charts.map(({ chart, className }) => (
        <Chart key={className} chart={chart} className={className} />
      ))}
      <p className="legend text-sm text-ink-2">
        {charts.map(({ chart, className }) => (
          <span key={className} className={`k ${className}`}>
            {chart.minutesPerDot === 1
              ? 'One dot is one minute'
              : `One dot is ${chart.minutesPerDot} minutes`}
          </span>
        ))}
        <span className="k now">Today so far</span>
        <span className="k off hidden md:block">Still to come</span>
      </p>
      <details className="alt text-sm">
        <summary>Show as a table</summary>
        <table className="table">
          <thead>
            <tr>
              <th className="text-label text-ink-2 uppercase" scope="col">
                Day
              </th>
              <th className="r text-label text-ink-2 uppercase" scope="col">
                Minutes
              </th>
            </tr>
          </thead>
          <tbody>
            {elapsed.toReversed().map(({ day, minutes }) => (
              <tr key={day}>
                <td>{dayLabel(`${day}T12:00:00Z`, 'UTC')}</td>
                <td className="r">{grouped(minutes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}
