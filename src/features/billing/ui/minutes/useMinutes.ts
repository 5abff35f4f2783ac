import { useEffect, useState } from 'react'
import { readMinutes } from '#billing/browser/packages.ts'
import type { MinutesState } from '#billing/domain/minutes/packages.ts'
import type { Subscription } from '#billing/domain/subscription.ts'

/** Reads how the minutes stand, again if the subscription says that they have changed. */
export function useMinutes({
  minutes_used: used,
  minutes_limit: limit,
  current_period_end: end,
}: Subscription) {
  const [minutes, setMinutes] = useState<MinutesState>()
  const [hasFailed, setFailed] = useState(false)
  const load = (): Promise<void> =>
    readMinutes().then((read) => {
      if (read) setMinutes(read)
      setFailed(!read)
    })
  useEffect(() => {
    void load()
  }, [used, limit, end])
  return { minutes, hasFailed: hasFailed && !minutes, load }
}
