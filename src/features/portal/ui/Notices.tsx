import type { MouseEvent } from 'react'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { portalTabs } from '#portal/domain/tabs.ts'
import { isOver } from '#billing/domain/status.ts'
import { helpFor, routes } from '#platform/domain/routes.ts'
import { minutesPercent, type Subscription } from '#billing/domain/subscription.ts'
import { graceNow } from '#billing/ui/grace.ts'
import { button } from '#platform/domain/variants.ts'

interface Props {
  subscription: Subscription
  /** Onboarding has just been completed. */
  welcome: boolean
  /** The billing tab is open, which itself tells of minutes used, a payment owed and a subscription that has ended. */
  onBilling: boolean
  onWelcomeRead: () => void
  openBilling: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** The percentage of used minutes from which the customer is warned. */
const warningPercent = 80

/** The notices above every tab. */
export function Notices({ subscription, welcome, onBilling, onWelcomeRead, openBilling }: Props) {
  const percent = minutesPercent(subscription)
  const warnsOfMinutes =
    percent >= warningPercent && subscription.status !== 'blocked' && !isOver(subscription.status)
  return (
    <>
      {welcome && (
        <section className="notice" role="status">
          <div className="frame title">
            <div>
              <h2 className="text-h4">Welcome, your setup is complete</h2>
              <p className="mt-3 text-sm text-ink-2">
                Your agent is being prepared. This is where you follow its minutes and calls.
              </p>
            </div>
            <button
              className={button({ kind: 'other', size: 'small' })}
              type="button"
              onClick={onWelcomeRead}
            >
              Got it
            </button>
          </div>
        </section>
      )}
      {!subscription.onboarding_completed && (
        <section className="notice">
          <div className="frame title">
            <div>
              <h2 className="text-h4">Finish your setup</h2>
              <p className="mt-3 text-sm text-ink-2">
                Your agent starts once the last step is done. What you chose so far is kept.
              </p>
            </div>
            <a className={button({ size: 'small' })} href={routes.onboarding}>
              Continue setup
            </a>
          </div>
        </section>
      )}
      {warnsOfMinutes && !onBilling && (
        <section className="notice">
          <div className="frame title">
            <div>
              <h2 className="text-h4">
                {percent === 100
                  ? 'Your included minutes are used up'
                  : `${percent}% of your minutes are used`}
              </h2>
              {subscription.current_period_end !== null && (
                <p className="mt-3 text-sm text-ink-2">
                  The period ends on {dayLabel(subscription.current_period_end)}.
                </p>
              )}
            </div>
            <a
              className={button({ kind: 'other', size: 'small' })}
              href={portalTabs.pathOf('billing')}
              onClick={openBilling}
            >
              See your billing
            </a>
          </div>
        </section>
      )}
      {isOver(subscription.status) && !onBilling && (
        <section className="notice">
          <div className="frame title">
            <div>
              <h2 className="text-h4">
                {subscription.status === 'canceled'
                  ? 'Your subscription has ended'
                  : 'Your subscription is not paid'}
              </h2>
              <p className="mt-3 text-sm text-ink-2">Choose a plan, so that your agent answers calls.</p>
            </div>
            <a
              className={button({ size: 'small' })}
              href={portalTabs.pathOf('billing')}
              onClick={openBilling}
            >
              Choose a plan
            </a>
          </div>
        </section>
      )}
      {subscription.status === 'payment_failed' && !onBilling && (
        <section className="notice" role="alert">
          <div className="frame title">
            <div>
              <h2 className="text-h4">Your last payment failed</h2>
              <p className="mt-3 text-sm text-ink-2">
                {graceNow(subscription) ?? 'Update your card so that your agent keeps answering.'}
              </p>
            </div>
            <a
              className={button({ size: 'small' })}
              href={portalTabs.pathOf('billing')}
              onClick={openBilling}
            >
              Go to billing
            </a>
          </div>
        </section>
      )}
      {subscription.status === 'blocked' && (
        <section className="notice" role="alert">
          <div className="frame title">
            <div>
              <h2 className="text-h4">Your account is blocked</h2>
              <p className="mt-3 text-sm text-ink-2">
                Your agent does not take calls. Contact us, and we will sort it out together.
              </p>
            </div>
            <a className={button({ size: 'small' })} href={helpFor('blocked')}>
              Contact us
            </a>
          </div>
        </section>
      )}
    </>
  )
}
