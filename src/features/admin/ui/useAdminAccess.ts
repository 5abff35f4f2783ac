import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { knownAdminAccess, readAdminAccess } from '#account/browser/admin-access.ts'
import { $session } from '#account/browser/session-store.ts'
import { adminGuard, type AdminAccess } from '#account/domain/guards.ts'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

interface Asked {
  userId: string
  /** Null if the database did not answer. */
  access: AdminAccess | null
}

/** Decides about the admin area for the signed-in user. `ask` asks the database again. */
export function useAdminAccess() {
  const session = useStore($session)
  const userId = session.status === 'signedIn' ? session.user.id : null
  const [tries, setTries] = useState(0)
  const [asked, setAsked] = useState<Asked>()
  useEffect(
    () =>
      userId === null
        ? undefined
        : takeAnswer(readAdminAccess(userId), (access) => setAsked({ userId, access })),
    [userId, tries],
  )
  const known = userId === null ? null : knownAdminAccess(userId)
  const answer = asked && asked.userId === userId ? asked.access : undefined
  return { decision: adminGuard(session, known, answer), ask: () => setTries(tries + 1) }
}
