import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import {
  currencyName,
  minutePackage,
  parsePrice,
  payablePlanIds,
  planById,
  planName,
  priceAmount,
} from '#plans/domain/plans.ts'
import { buyPackage, readMinutes, saveCap } from '#billing/browser/packages.ts'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import { runsOutAt, type MinutesState } from '#billing/domain/packages.ts'
import { planAdvice } from '#billing/domain/plan-advice.ts'
import { takenWords, type Subscription } from '#billing/domain/subscription.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import {
  $callSettings,
  changeCallSettings,
  loadCallSettings,
} from '#telephony/browser/call-settings-store.ts'
import { LimitPolicyField } from '#telephony/ui/LimitPolicyField.tsx'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'
import type { TypedField } from '#platform/browser/storage/typed-fields.ts'
import { UnsavedCallSettings } from '#telephony/ui/CallSettings.tsx'
import { PackageOrUpgrade } from '#billing/ui/PackageOrUpgrade.tsx'

interface Props {
  subscription: Subscription
  userId: string
}

type Purchase =
  | { step: 'idle'; said?: string }
  /** `press` names the purchase, so that a second try of it buys nothing more. */
  | { step: 'asking' | 'buying'; press: string; problem?: string }

const added = `${minutePackage.minutes} minutes`
const price = priceAmount(minutePackage.cents)

/** Minutes and packages: how long they last, what happens when they are used up, and what may be spent. */
export function Minutes({ subscription, userId }: Props) {
  const [minutes, setMinutes] = useState<MinutesState>()
  const [hasFailed, setFailed] = useState(false)
  const [purchase, setPurchase] = useState<Purchase>({ step: 'idle' })
  const calls = useStore($callSettings)
  const { minutes_used: used, minutes_limit: limit, current_period_end: end } = subscription
  const isUsedUp = used >= limit
  const taken = takenWords(subscription)

  const load = (): Promise<void> =>
    readMinutes().then((read) => {
      if (read) setMinutes(read)
      setFailed(!read)
    })
  useEffect(() => {
    void load()
  }, [used, limit, end])
  useEffect(() => {
    void loadCallSettings(userId)
  }, [userId])

  async function confirm(press: string): Promise<void> {
    setPurchase({ step: 'buying', press })
    const answer = await buyPackage(press)
    if (!answer.ok) return setPurchase({ step: 'asking', press, problem: answer.failure.message })
    setPurchase({
      step: 'idle',
      said:
        answer.value.status === 'bought'
          ? `${added} have been added.`
          : `${added} are on their way. They follow within minutes.`,
    })
    await Promise.all([refreshSubscription(), load()])
  }

  async function raiseCap(toCents: number): Promise<void> {
    if (!(await saveCap(userId, toCents)))
      return setPurchase({
        step: 'idle',
        said: 'The cap was not saved. Check your connection, and try again.',
      })
    setPurchase({ step: 'idle', said: `The cap is ${priceAmount(toCents)} now.` })
    await load()
  }

  const capAfterNext = (minutes?.spent_cents ?? 0) + minutePackage.cents
  const isCapped = minutes !== undefined && capAfterNext > minutes.most_cents
  const day = dayLabel(end) ?? 'the next renewal'
  const settings = calls.status === 'ready' ? calls.settings : undefined
  return (
    <section aria-labelledby="minutes">
      <div className="frame row">
        <div className="c8 tall stack">
          <h2 className="mid" id="minutes">
            {isUsedUp ? 'Your minutes are used up' : 'Minutes'}
          </h2>
          <p className="lead dim">
            {grouped(used)} of {grouped(limit)} minutes are used in this period.{' '}
            {paceOf(subscription, minutes)}
          </p>
          {taken && <p className="dim">{taken}</p>}
          {isUsedUp && settings && (
            <p className="dim">
              {settings.limit_policy === 'message' && 'Your agent takes messages now.'}
              {settings.limit_policy === 'hand_over' &&
                (settings.fallback_number
                  ? 'Calls are handed over now.'
                  : 'Calls are handed over now, if you have named somebody. If not, your agent takes messages.')}
              {settings.limit_policy === 'answer' &&
                (isCapped
                  ? `Your agent takes messages now: another package would exceed the ${priceAmount(minutes.most_cents)} that packages may cost in this period.`
                  : `Your agent goes on answering, with packages of ${added} up to your cap.`)}
            </p>
          )}
          <p className="acts">
            <button
              className={isUsedUp ? 'btn' : 'btn two'}
              type="button"
              onClick={() => setPurchase({ step: 'asking', press: crypto.randomUUID() })}
            >
              Add {added} for {price}
            </button>
            {isUsedUp && isCapped && capAfterNext <= minutes.ceiling_cents && (
              <button className="btn two" type="button" onClick={() => void raiseCap(capAfterNext)}>
                Raise the cap to {priceAmount(capAfterNext)}
              </button>
            )}
            {isUsedUp && settings && settings.limit_policy !== 'message' && (
              <button
                className="btn two"
                type="button"
                onClick={() => void changeCallSettings({ limit_policy: 'message' })}
              >
                Take messages
              </button>
            )}
            {isUsedUp && (
              <a className="btn two" href="#plans">
                Upgrade
              </a>
            )}
          </p>
          <p className="sm" role="status">
            {purchase.step === 'idle' && purchase.said}
          </p>
          {minutes && <Waiting minutes={minutes} day={day} />}
          {minutes && <Advice subscription={subscription} minutes={minutes} />}
        </div>
        <div className="planbox tall stack">
          {(calls.status === 'failed' || (hasFailed && !minutes)) && (
            <>
              <p className="err" role="alert">
                Your settings for minutes did not load. Check your connection.
              </p>
              <button
                className="btn two"
                type="button"
                onClick={() => void Promise.all([load(), loadCallSettings(userId)])}
              >
                Try again
              </button>
            </>
          )}
          {settings && (
            <LimitPolicyField settings={settings} save={(change) => void changeCallSettings(change)} />
          )}
          <UnsavedCallSettings />
          {minutes && <Cap minutes={minutes} subscription={subscription} userId={userId} onSaved={load} />}
        </div>
      </div>
      {purchase.step !== 'idle' && (
        <ConfirmDialog
          title={`Add ${added} for ${price}?`}
          action={purchase.step === 'buying' ? 'Adding...' : `Add ${added}`}
          isHarmless
          isBusy={purchase.step === 'buying'}
          onCancel={() => setPurchase({ step: 'idle' })}
          onConfirm={() => void confirm(purchase.press)}
        >
          <div className="stack">
            <p>
              {price} is added to your next invoice, on {day} or with an upgrade before. Minutes stay until
              you use them, as long as you have a plan.
            </p>
            {minutes && <PackageOrUpgrade subscription={subscription} minutes={minutes} />}
            {used > limit && (
              <p>You are {grouped(used - limit)} minutes over your limit; the package covers these first.</p>
            )}
            {purchase.problem && (
              <p className="err" role="alert">
                {purchase.problem}
              </p>
            )}
          </div>
        </ConfirmDialog>
      )}
    </section>
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
    <dl className="ledger sm">
      <div>
        <dt>On your next invoice, {day}</dt>
        <dd>{priceAmount(minutes.next_invoice_cents)} for packages</dd>
      </div>
    </dl>
  )
}

/** Says which plan would have been cheaper, with the arithmetic. */
function Advice({ subscription, minutes }: { subscription: Subscription; minutes: MinutesState }) {
  const { plan, price_cents: cents, plan_minutes: own } = subscription
  const advice =
    cents === null || own === null
      ? null
      : planAdvice({ plan, cents, minutes: own }, minutes, payablePlanIds.map(planById))
  if (!advice) return null
  const listed = (costs: readonly number[]): string => {
    const sum = costs.reduce((total, cost) => total + cost, 0)
    return `${costs.map(priceAmount).join(' + ')} = ${priceAmount(sum)}`
  }
  return (
    <div className="stack">
      <p>
        {advice.plan.name} would have saved you {priceAmount(advice.saved)} over the last three periods, in
        which you used {minutes.used_before.map(grouped).join(', ')} minutes.
      </p>
      <dl className="ledger sm">
        <div>
          <dt>{planName(plan)}, with packages</dt>
          <dd>{listed(advice.ownCosts)}</dd>
        </div>
        <div>
          <dt>{advice.plan.name}, with packages</dt>
          <dd>{listed(advice.costs)}</dd>
        </div>
      </dl>
    </div>
  )
}

interface CapProps extends Props {
  minutes: MinutesState
  onSaved: () => Promise<void>
}

/** The customer's cap on what packages cost in a period. */
function Cap({ minutes, subscription, userId, onSaved }: CapProps) {
  const cap = minutes.cap_cents ?? subscription.price_cents ?? 0
  const field: TypedField<number> = {
    name: `${userId}:cap`,
    label: `Cap on packages, in ${currencyName} a period`,
    text: (cents) => String(cents / 100),
    parse: parseCap,
    async save({ value }) {
      if (!(await saveCap(userId, value))) return { kind: 'failed' }
      await onSaved()
      return { kind: 'saved' }
    },
    note: () => undefined,
  }
  return (
    <SavedField
      field={field}
      known={cap}
      hint={`${priceAmount(minutes.spent_cents)} of ${priceAmount(minutes.most_cents)} spent in this period.${
        minutes.most_cents < cap ? ' More is not possible in this period.' : ''
      }`}
      inputMode="numeric"
    />
  )
}

function parseCap(typed: string): { value: number } | { problem: string } {
  const value = parsePrice(typed)
  return value === undefined ? { problem: `Write a whole number of ${currencyName}, such as 80.` } : { value }
}
