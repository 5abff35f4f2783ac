import { grouped } from '#domain/grouped.ts'
import type { MouseEvent } from 'react'
import { planName } from '#domain/plans.ts'
import { portalTabPath } from '#domain/portal.ts'
import { statusTone } from '#domain/status.ts'
import { minutesLeft, type Subscription } from '#domain/subscription.ts'
import { LooseCord } from '../panel/drawing.tsx'
import { MinutesGauge } from './MinutesGauge.tsx'
import { PlanFactList } from './PlanFactList.tsx'

interface Props {
  subscription: Subscription
  openBilling: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** Plan, status, minutes, calls. */
export function DashboardTab({ subscription, openBilling }: Props) {
  const left = minutesLeft(subscription)
  return (
    <section>
      <div className="frame fill">
        <div className="row">
          <div className="c8 kpi">
            <p className="label">This period</p>
            <h1>
              {grouped(left)} {left === 1 ? 'minute' : 'minutes'} left
            </h1>
            <MinutesGauge subscription={subscription} />
            {left === 0 && (
              <p>
                Your included minutes are used up.{' '}
                <a href={portalTabPath('billing')} onClick={openBilling}>
                  See your billing
                </a>
                .
              </p>
            )}
          </div>
          <div className="planbox">
            <div className="title bare">
              <p className="label">Your plan</p>
              <span className={`badge ${statusTone(subscription.status)}`}>{subscription.status}</span>
            </div>
            <h2 className="pname">{planName(subscription.plan)}</h2>
            <PlanFactList subscription={subscription} />
            <a className="btn two full" href={portalTabPath('billing')} onClick={openBilling}>
              Plan and billing
            </a>
          </div>
        </div>
        <div className="row">
          <div className="c12 stack">
            <h2 className="h4">Last calls</h2>
            <div className="empty">
              <LooseCord />
              <div>
                <h3>No calls yet</h3>
                <p className="dim">When your agent answers its first call, it appears here.</p>
              </div>
            </div>
          </div>
        </div>
      </div>
    </section>
  )
}
