import { createRoot } from 'react-dom/client'
import { adoptStyles } from '#platform/browser/styles.ts'
import { takeToastFromLastPage } from '#platform/browser/toast.ts'
import styles from '../../styles/toaster.css?inline'
import { Toaster } from './Toaster.tsx'

let mounted = false

/**
 * Mounts the toaster, and shows the toast that the previous page kept for this one. Pages load this file for their
 * first toast. Calling it again does nothing.
 */
export function mountToaster(): void {
  if (mounted) return
  mounted = true
  adoptStyles(styles)
  const container = document.createElement('div')
  container.dataset.toaster = ''
  document.body.append(container)
  createRoot(container).render(<Toaster />)
  takeToastFromLastPage()
  // A page from the back-forward cache may have been opened by one that kept a toast for it.
  addEventListener('pageshow', takeToastFromLastPage)
}
