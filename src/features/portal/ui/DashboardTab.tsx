import { grouped } from '#platform/domain/text/numbers.ts'
import type { MouseEvent, ReactNode } from 'react'
import { daysOfPeriod } from '#calls/domain/minutes-chart.ts'
import { elapsedShare, periodOf, predictRunOut } from '#calls/domain/pace.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { portalTabs } from '#portal/domain/tabs.ts'
import { renews } from '#billing/domain/status.ts'
import { minutesLeft, takenWords, type Subscription } from '#billing/domain/subscription.ts'
import type { CallsState } from '#calls/browser/calls-store.ts'
import { CallLog, type CallActions } from '#calls/ui/CallLog.tsx'
import { MinutesGauge } from '#calls/ui/MinutesGauge.tsx'
import { MinutesPerDay } from '#calls/ui/MinutesPerDay.tsx'
import { PlanSummary } from '#billing/ui/PlanSummary.tsx'
import { plans } from '#plans/domain/plans.ts'
import { SuccessRate } from '#calls/ui/SuccessRate.tsx'
import { button, cell, gridRow } from '#platform/domain/variants.ts'
import { fillFrame } from '#platform/domain/app-variants.ts'

interface Props {
  subscription: Subscription
  calls: CallsState
  actions: CallActions
  openBilling: (event: MouseEvent<HTMLAnchorElement>) => void
  /** The state of the agent. */
  agent?: ReactNode
  /** Whether the agent waits for a first action, which leads the page then. */
  isFresh?: boolean
}

/** The customer's plan, status, minutes and calls. */
export function DashboardTab({ subscription, calls, actions, openBilling, agent, isFresh = false }: Props) {
  const { overview, list, asOf: now } = calls
  const left = minutesLeft(subscription)
  const taken = takenWords(subscription)
  /** The minutes of a subscription that is blocked or has ended are left to nobody. */
  const isAnswering = renews(subscription.status)
  const plan = plans.find(({ id }) => id === subscription.plan)
  const { minutes_used: used, minutes_limit: limit } = subscription
  const period = overview && periodOf(overview.period_start, overview.period_end)
  const lastsUntil = period && predictRunOut({ used, limit }, period, now)
  return (
    <section>
      <div className={fillFrame}>
        {isFresh && agent}
        <div className={`${gridRow} not-first:border-t`}>
          <div className={cell({ span: 8, class: 'grid content-start gap-4' })}>
            <p className="text-label text-ink-2 uppercase">This period</p>
            <h1>
              {isAnswering
                ? `${grouped(left)} ${left === 1 ? 'minute' : 'minutes'} left`
                : 'Your agent is not taking calls'}
            </h1>
            <MinutesGauge
              subscription={subscription}
              elapsed={period && used > 0 ? elapsedShare(period, now) : null}
            />
            {isAnswering && taken && <p className="text-ink-2">{taken}</p>}
            {isAnswering && lastsUntil !== null && (
              <p>
                At this pace, your minutes will last{' '}
                {lastsUntil === 'lasting' ? (
                  'until the end of the period.'
                ) : (
                  <>
                    until <b className="whitespace-nowrap">{dayLabel(new Date(lastsUntil).toISOString())}</b>.
                  </>
                )}
              </p>
            )}
          </div>
          <div className={cell({ class: 'flex flex-col gap-4' })}>
            <PlanSummary subscription={subscription}>
              <div>
                <dt>Phone lines</dt>
                <dd>{plan?.lines.words}</dd>
              </div>
              <div>
                <dt>Languages</dt>
                <dd>{plan?.languages.words}</dd>
              </div>
            </PlanSummary>
            <a
              className={button({ kind: 'other', full: true, class: 'mt-auto' })}
              href={portalTabs.pathOf('billing')}
              onClick={openBilling}
            >
              Plan and billing
            </a>
          </div>
        </div>
        {!isFresh && agent}
        {overview && period && (overview.calls > 0 || overview.days.length > 0) && (
          <div className={`${gridRow} border-t`}>
            <MinutesPerDay days={daysOfPeriod(overview.days, period, now)} />
            <SuccessRate overview={overview} />
          </div>
        )}
        <CallLog list={list} now={now} actions={actions} />
      </div>
    </section>
  )
}
