import { useState } from 'react'
import { minutePackage, priceAmount } from '#plans/domain/plans.ts'
import { buyPackage } from '#billing/browser/packages.ts'
import type { MinutesState } from '#billing/domain/minutes/packages.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { PackageOrUpgrade } from './PackageOrUpgrade.tsx'
import { grouped } from '#platform/domain/text/numbers.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { stack } from '#platform/domain/app-variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

interface Props {
  /** Names the purchase, so that a second try of it buys nothing more. */
  press: string
  subscription: Subscription
  minutes: MinutesState | undefined
  /** The day of the next invoice. */
  day: string
  /** Gets what is to be said about it. */
  onBought: (words: string) => void
  onCancel: () => void
}

const added = `${minutePackage.minutes} minutes`
const price = priceAmount(minutePackage.cents)

/** Asks before a package is put on the next invoice. */
export function PackageDialog({ press, subscription, minutes, day, onBought, onCancel }: Props) {
  const [purchase, setPurchase] = useState<{ isBuying: boolean; problem?: string }>({ isBuying: false })
  const { minutes_used: used, minutes_limit: limit } = subscription

  async function confirm(): Promise<void> {
    setPurchase({ isBuying: true })
    const answer = await buyPackage(press)
    if (!answer.ok) return setPurchase({ isBuying: false, problem: answer.failure.message })
    onBought(
      answer.value.status === 'bought'
        ? `${added} have been added.`
        : `${added} are on their way. They follow within minutes.`,
    )
  }

  return (
    <ConfirmDialog
      title={`Add ${added} for ${price}?`}
      action={purchase.isBuying ? 'Adding...' : `Add ${added}`}
      isHarmless
      isBusy={purchase.isBuying}
      onCancel={onCancel}
      onConfirm={() => void confirm()}
    >
      <div className={stack}>
        <p>
          {price} is added to your next invoice, on {day} or with an upgrade before. Minutes stay until you
          use them, as long as you have a plan.
        </p>
        {minutes && <PackageOrUpgrade subscription={subscription} minutes={minutes} />}
        {used > limit && (
          <p>You are {grouped(used - limit)} minutes over your limit; the package covers these first.</p>
        )}
        <Problem>{purchase.problem}</Problem>
      </div>
    </ConfirmDialog>
  )
}
