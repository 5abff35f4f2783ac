import { createRoot } from 'react-dom/client'
import { adoptStyles } from '#platform/browser/styles.ts'
import { takeToastFromLastPage } from '#platform/browser/toast.ts'
import styles from '../../styles/toaster.css?inline'
import { Toaster } from './Toaster.tsx'

let mounted = false

/**
 * Puts the toaster on the page, and shows what the page before left for it. Pages load this file when the first toast
 * is raised or found waiting; calling it again changes nothing.
 */
export function mountToaster(): void {
  if (mounted) return
  mounted = true
  adoptStyles(styles)
  const container = document.createElement('div')
  document.body.append(container)
  createRoot(container).render(<Toaster />)
  takeToastFromLastPage()
  // A page that comes back from the back-forward cache may have been sent here with a toast.
  addEventListener('pageshow', takeToastFromLastPage)
}
