import { useState, type ReactNode } from 'react'
import { minutePackage, priceAmount } from '#plans/domain/plans.ts'
import { saveCap } from '#billing/browser/packages.ts'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import type { CallsAtLimit } from '#billing/domain/minutes/at-limit.ts'
import { runsOutAt, type MinutesState } from '#billing/domain/minutes/packages.ts'
import { takenWords, type Subscription } from '#billing/domain/subscription.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { Advice } from './Advice.tsx'
import { Cap } from './Cap.tsx'
import { PackageDialog } from './PackageDialog.tsx'
import { useMinutes } from './useMinutes.ts'
import { buttonRow, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow, ledger } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

/** What happens to calls once the minutes are used up. The agent's phone decides it, so the page hands it in. */
interface LimitPolicy {
  hasFailed: boolean
  load: () => Promise<void>
  /** Lets the customer choose. */
  field: ReactNode
  /** Says what happens now that they are used up. */
  words: (atLimit: CallsAtLimit) => string | undefined
  /** Lets the agent take messages, if it does not yet. */
  takeMessages: (() => void) | undefined
}

interface Props {
  subscription: Subscription
  userId: string
  policy: LimitPolicy
}

const added = `${minutePackage.minutes} minutes`
const price = priceAmount(minutePackage.cents)

/** Minutes and packages: how long they last, what happens when they are used up, and what may be spent. */
export function Minutes({ subscription, userId, policy }: Props) {
  const { minutes, hasFailed, load } = useMinutes(subscription)
  /** The name of the press that asks for a package, while the dialog is open. */
  const [press, setPress] = useState<string>()
  const [said, setSaid] = useState<string>()
  const { minutes_used: used, minutes_limit: limit } = subscription
  const isUsedUp = used >= limit
  const taken = takenWords(subscription)
  const words = isUsedUp && minutes ? policy.words(minutes.at_limit) : undefined
  const day = dayLabel(subscription.current_period_end) ?? 'the next renewal'

  async function bought(words: string): Promise<void> {
    setPress(undefined)
    setSaid(words)
    await Promise.all([refreshSubscription(), load()])
  }

  async function raiseCap(toCents: number): Promise<void> {
    setPress(undefined)
    if (!(await saveCap(userId, toCents)))
      return setSaid('The spending limit was not saved. Check your connection, and try again.')
    setSaid(`The spending limit is ${priceAmount(toCents)} now.`)
    await load()
  }

  return (
    <section aria-labelledby="minutes">
      <div className={`${frame} ${gridRow}`}>
        <div className={cell({ span: 8, room: 'tall', class: stack })}>
          <h2 className="text-mid" id="minutes">
            {isUsedUp ? 'Your minutes are used up' : 'Minutes'}
          </h2>
          <p className="text-lead text-ink-2">
            {grouped(used)} of {grouped(limit)} minutes are used in this period.{' '}
            {paceOf(subscription, minutes)}
          </p>
          {taken && <p className="text-ink-2">{taken}</p>}
          {words && <p className="text-ink-2">{words}</p>}
          <p className={buttonRow}>
            <button
              className={isUsedUp ? button() : button({ kind: 'other' })}
              type="button"
              onClick={() => {
                setSaid(undefined)
                setPress(crypto.randomUUID())
              }}
            >
              Add {added} for {price}
            </button>
            {isUsedUp && <UsedUpActions minutes={minutes} policy={policy} raiseCap={raiseCap} />}
          </p>
          <p className="text-sm" role="status">
            {said}
          </p>
          {minutes && <Waiting minutes={minutes} day={day} />}
          {minutes && <Advice subscription={subscription} minutes={minutes} />}
        </div>
        <Settings
          minutes={minutes}
          subscription={subscription}
          userId={userId}
          policy={policy}
          hasFailed={hasFailed}
          load={load}
        />
      </div>
      {press !== undefined && (
        <PackageDialog
          press={press}
          subscription={subscription}
          minutes={minutes}
          day={day}
          onBought={(words) => void bought(words)}
          onCancel={() => setPress(undefined)}
        />
      )}
    </section>
  )
}

interface SettingsProps extends Props {
  minutes: MinutesState | undefined
  hasFailed: boolean
  load: () => Promise<void>
}

/** What happens once the minutes are used up, and what packages may cost. */
const Settings = ({ minutes, subscription, userId, policy, hasFailed, load }: SettingsProps) => (
  <div className={cell({ room: 'tall', class: 'flex flex-col gap-8' })}>
    {(policy.hasFailed || hasFailed) && (
      <>
        <Problem>Your settings for minutes did not load. Check your connection.</Problem>
        <button
          className={button({ kind: 'other' })}
          type="button"
          onClick={() => void Promise.all([load(), policy.load()])}
        >
          Try again
        </button>
      </>
    )}
    {policy.field}
    {minutes && <Cap minutes={minutes} subscription={subscription} userId={userId} onSaved={load} />}
  </div>
)

/** What packages cost in this period with one more. */
const spentWithNext = ({ spent_cents: spent }: MinutesState): number => spent + minutePackage.cents

interface UsedUpProps {
  minutes: MinutesState | undefined
  policy: LimitPolicy
  raiseCap: (toCents: number) => Promise<void>
}

/** What can be done besides adding a package once the minutes are used up. */
function UsedUpActions({ minutes, policy, raiseCap }: UsedUpProps) {
  const next = minutes ? spentWithNext(minutes) : 0
  const canRaise = minutes && next > minutes.most_cents && next <= minutes.ceiling_cents
  return (
    <>
      {canRaise && (
        <button className={button({ kind: 'other' })} type="button" onClick={() => void raiseCap(next)}>
          Raise the spending limit to {priceAmount(next)}
        </button>
      )}
      {policy.takeMessages && (
        <button className={button({ kind: 'other' })} type="button" onClick={policy.takeMessages}>
          Take messages
        </button>
      )}
      <a className={button({ kind: 'other' })} href="#plans">
        Upgrade
      </a>
    </>
  )
}

/** Says when the minutes run out if the period goes on as it has begun. */
function paceOf(subscription: Subscription, minutes: MinutesState | undefined): string {
  const { minutes_used: used, minutes_limit: limit, current_period_end: end } = subscription
  if (!minutes?.period_start || end === null || used >= limit) return ''
  const period = { start: Date.parse(minutes.period_start), end: Date.parse(end) }
  const at = runsOutAt({ used, limit }, period, Date.now())
  return at === null ? '' : `At this pace they run out on ${dayLabel(new Date(at).toISOString())}.`
}

/** Says what packages the next invoice will charge. */
function Waiting({ minutes, day }: { minutes: MinutesState; day: string }) {
  if (minutes.next_invoice_cents === 0) return null
  return (
    <dl className={`${ledger} text-sm`}>
      <div>
        <dt>On your next invoice, {day}</dt>
        <dd>{priceAmount(minutes.next_invoice_cents)} for packages</dd>
      </div>
    </dl>
  )
}
