import { useEffect, useState } from 'react'
import { callIn } from '#platform/domain/call-path.ts'

/** Returns the id of the call that the address names; null if it names none. */
export function useLinkedCall(): string | null {
  const [id, setId] = useState(() => callIn(location))
  useEffect(() => {
    const moved = (): void => setId(callIn(location))
    addEventListener('popstate', moved)
    return () => removeEventListener('popstate', moved)
  }, [])
  return id
}
