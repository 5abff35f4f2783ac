import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { site, storageKey } from '#site'
import type { Toast } from '#platform/domain/toasts.ts'
import { tabStorage } from './storage.ts'

/** Dispatched on `window` with every toast as its detail, so that a page loads the toaster when it is first needed. */
const toastEvent = `${site.storagePrefix}:toast`

const nextPageKey = storageKey('toast')

/** A toast on screen. Two equal messages in a row are two toasts: the number tells them apart. */
export interface RaisedToast {
  number: number
  toast: Toast
}

/** The one toast that is shown; a new one takes its place. */
export const $toast = atom<RaisedToast | null>(null)

let raised = 0

/** Shows a toast on this page. */
export function raiseToast(toast: Toast): void {
  $toast.set({ number: ++raised, toast })
  window.dispatchEvent(new CustomEvent(toastEvent, { detail: toast }))
}

/** A toast is kept for the next page, and this one has not been left yet. */
let isLeaving = false

/** Keeps a toast for the page that follows a redirect. */
export function raiseToastForNextPage(toast: Toast): void {
  isLeaving = true
  window.addEventListener('pagehide', () => (isLeaving = false), { once: true })
  tabStorage.write(nextPageKey, JSON.stringify(toast))
}

const storedToast = z.object({
  title: z.string(),
  description: z.optional(z.string()),
  variant: z.enum(['default', 'destructive']),
  link: z.optional(z.object({ label: z.string(), href: z.string().check(z.regex(/^\/[a-z]/)) })),
})

/** Shows the toast that the page before left, once. */
export function takeToastFromLastPage(): void {
  const stored = tabStorage.read(nextPageKey)
  if (stored === null || isLeaving) return
  tabStorage.remove(nextPageKey)
  const toast = parseToast(stored)
  if (toast) raiseToast(toast)
}

function parseToast(stored: string): Toast | undefined {
  try {
    const { title, description, variant, link } = z.parse(storedToast, JSON.parse(stored))
    return {
      title,
      variant,
      ...(description === undefined ? {} : { description }),
      ...(link === undefined ? {} : { link }),
    }
  } catch {
    return undefined
  }
}

/** Takes the toast off the screen, unless another one has taken its place. */
export function dismissToast(number: number): void {
  if ($toast.get()?.number === number) $toast.set(null)
}
