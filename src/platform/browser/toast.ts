import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { site, storageKey } from '#site'
import type { Toast } from '#platform/domain/toasts.ts'
import { tabStorage } from '#platform/browser/storage/storage.ts'

/** The event on `window` for every raised toast, its detail; at the first one a page loads the toaster. */
const toastEvent = `${site.storagePrefix}:toast`

const nextPageKey = storageKey('toast')

/** A toast on the screen. The number tells two equal toasts in a row apart. */
interface RaisedToast {
  number: number
  toast: Toast
}

/** The toast on the screen; a new one replaces it. */
export const $toast = atom<RaisedToast | null>(null)

let raised = 0

/** Shows a toast on this page, and returns its number. */
export function raiseToast(toast: Toast): number {
  $toast.set({ number: ++raised, toast })
  window.dispatchEvent(new CustomEvent(toastEvent, { detail: toast }))
  return raised
}

/** True once a toast is kept for the next page, until this page is left. */
let isLeaving = false

function leave(): void {
  isLeaving = true
  window.addEventListener('pagehide', () => (isLeaving = false), { once: true })
}

/** Keeps a toast for the next page of this tab. */
export function raiseToastForNextPage(toast: Toast): void {
  leave()
  tabStorage.write(nextPageKey, JSON.stringify(toast))
}

/** Keeps the toast for the page that a redirect leads to, whether it is on the screen or not taken yet. */
export function keepToastForNextPage(): void {
  const shown = $toast.get()
  if (shown) raiseToastForNextPage(shown.toast)
  else leave()
}

const storedToast = z.object({
  title: z.string(),
  description: z.optional(z.string()),
  variant: z.enum(['default', 'notice', 'destructive']),
  link: z.optional(z.object({ label: z.string(), href: z.string().check(z.regex(/^\/[a-z]/)) })),
})

/** Shows the toast that the previous page kept for this one, once. */
export function takeToastFromLastPage(): void {
  const stored = tabStorage.read(nextPageKey)
  if (stored === null || isLeaving) return
  tabStorage.remove(nextPageKey)
  const toast = parseToast(stored)
  if (toast) raiseToast(toast)
}

function parseToast(stored: string): Toast | undefined {
  try {
    return z.parse(storedToast, JSON.parse(stored))
  } catch {
    return undefined
  }
}

/** Removes the toast from the screen, unless another one has replaced it. */
export function dismissToast(number: number): void {
  if ($toast.get()?.number === number) $toast.set(null)
}
