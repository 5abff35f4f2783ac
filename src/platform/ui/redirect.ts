import { useEffect } from 'react'
import { replacePage } from '#platform/browser/navigation.ts'

/** Goes to an address as soon as there is one. */
export function useRedirect(address: string | null): void {
  useEffect(() => {
    if (address !== null) replacePage(address)
  }, [address])
}
