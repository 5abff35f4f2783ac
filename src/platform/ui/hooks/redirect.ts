import { useEffect } from 'react'
import { replacePage } from '#platform/browser/navigation.ts'
import { keepToastForNextPage } from '#platform/browser/toast.ts'

/** Replaces the page as soon as there is a URL. A toast on the screen goes along. */
export function useRedirect(url: string | null): void {
  useEffect(() => {
    if (url === null) return
    keepToastForNextPage()
    replacePage(url)
  }, [url])
}
