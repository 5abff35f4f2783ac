import { useEffect, useState } from 'react'
import { priceAmount } from '#plans/domain/plans.ts'
import { readMinutes } from '#billing/browser/packages.ts'

/** Names, in a dialog that ends the subscription, what its packages still cost; nothing if no package waits. */
export function WaitingPackages() {
  const [cents, setCents] = useState(0)
  useEffect(() => {
    void readMinutes().then((minutes) => setCents(minutes?.waiting_cents ?? 0))
  }, [])
  return (
    <p aria-live="polite">
      {cents > 0 && (
        <>
          <b>{priceAmount(cents)}</b> for packages that no invoice has charged yet is charged with a last
          invoice.
        </>
      )}
    </p>
  )
}
