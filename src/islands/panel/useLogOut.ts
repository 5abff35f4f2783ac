import { useState } from 'react'
import { $session, signOut } from '#stores/session.ts'

/** Signs out and goes home. While `isLeaving`, the page's own guard, which would lead elsewhere, keeps still. */
export function useLogOut(): { isLeaving: boolean; logOut: () => void } {
  const [isLeaving, setLeaving] = useState(false)
  const leave = async (): Promise<void> => {
    setLeaving(true)
    await signOut()
    if ($session.get().status === 'signedIn') setLeaving(false)
  }
  return { isLeaving, logOut: () => void leave() }
}
