import { useEffect } from 'react'
import { replacePage } from '#platform/browser/navigation.ts'

/** Replaces the page as soon as there is a URL. */
export function useRedirect(url: string | null): void {
  useEffect(() => {
    if (url !== null) replacePage(url)
  }, [url])
}
