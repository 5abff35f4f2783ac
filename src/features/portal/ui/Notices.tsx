import type { MouseEvent } from 'react'
import { useStore } from '@nanostores/react'
import { agentWords } from '#agent/domain/agent-state.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { portalTabs } from '#portal/domain/tabs.ts'
import { isOver } from '#billing/domain/status.ts'
import { helpFor, routes } from '#platform/domain/routes.ts'
import { minutesPercent, type Subscription } from '#billing/domain/subscription.ts'
import { $myAgent } from '#telephony/browser/my-agent.ts'
import { graceNow } from '#billing/ui/grace.ts'
import { Notice } from '#platform/ui/Notice.tsx'
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
  const agent = useStore($myAgent)
  const agentIs = agent && agentWords({ ...agent, status: subscription.status, hasTaught: agent.has_taught })
  const warnsOfMinutes =
    percent >= warningPercent && subscription.status !== 'blocked' && !isOver(subscription.status)
  const billing = (words: string, isMain: boolean) => (
    <a
      className={button({ kind: isMain ? 'main' : 'other', size: 'small' })}
      href={portalTabs.pathOf('billing')}
      onClick={openBilling}
    >
      {words}
    </a>
  )
  return (
    <>
      {welcome && (
        <Notice
          role="status"
          title="Welcome, your setup is complete"
          text={agentIs && <p>{`${agentIs.title}. ${agentIs.next}`}</p>}
        >
          <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={onWelcomeRead}>
            Got it
          </button>
        </Notice>
      )}
      {!subscription.onboarding_completed && subscription.status !== 'blocked' && (
        <Notice
          title="Finish your setup"
          text={
            <p>
              {agentWords({ state: 'not_set_up', status: subscription.status }).next} What you chose so far is
              kept.
            </p>
          }
        >
          <a className={button({ size: 'small' })} href={routes.onboarding}>
            Continue setup
          </a>
        </Notice>
      )}
      {warnsOfMinutes && !onBilling && (
        <Notice
          title={
            percent === 100 ? 'Your included minutes are used up' : `${percent}% of your minutes are used`
          }
          text={
            subscription.current_period_end !== null && (
              <p>The period ends on {dayLabel(subscription.current_period_end)}.</p>
            )
          }
        >
          {billing('See your billing', false)}
        </Notice>
      )}
      {isOver(subscription.status) && !onBilling && (
        <Notice
          title={
            subscription.status === 'canceled'
              ? 'Your subscription has ended'
              : 'Your subscription is not paid'
          }
          text={<p>Choose a plan, so that your agent answers calls.</p>}
        >
          {billing('Choose a plan', true)}
        </Notice>
      )}
      {subscription.status === 'payment_failed' && !onBilling && (
        <Notice
          role="alert"
          title="Your last payment failed"
          text={<p>{graceNow(subscription) ?? 'Update your card so that your agent keeps answering.'}</p>}
        >
          {billing('Go to billing', true)}
        </Notice>
      )}
      {subscription.status === 'blocked' && (
        <Notice
          role="alert"
          title="Your account is blocked"
          text={<p>Your agent does not take calls. Contact us, and we will sort it out together.</p>}
        >
          <a className={button({ size: 'small' })} href={helpFor('blocked')}>
            Contact us
          </a>
        </Notice>
      )}
    </>
  )
}
