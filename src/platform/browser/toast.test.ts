import { site, storageKey } from '#site'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { toasts } from '#platform/domain/toasts.ts'
import {
  $toast,
  dismissToast,
  keepToastForNextPage,
  raiseToast,
  raiseToastForNextPage,
  takeToastFromLastPage,
} from './toast.ts'

let kept: Map<string, string>
let events: string[]

beforeEach(() => {
  kept = new Map()
  events = []
  const target = new EventTarget()
  target.addEventListener(`${site.storagePrefix}:toast`, () => events.push('toast'))
  vi.stubGlobal('window', target)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  $toast.set(null)
  return () => vi.unstubAllGlobals()
})

describe('toasts', () => {
  test('a raised toast is in the store, and an event lets the page load the toaster', () => {
    raiseToast(toasts.noUser)
    expect($toast.get()?.toast).toEqual(toasts.noUser)
    expect(events).toEqual(['toast'])
  })

  test('one at a time: a new toast replaces the last one', () => {
    raiseToast(toasts.noUser)
    const first = $toast.get()?.number ?? 0
    raiseToast(toasts.templateMissing)
    expect($toast.get()?.toast).toEqual(toasts.templateMissing)
    dismissToast(first)
    expect($toast.get()?.toast).toEqual(toasts.templateMissing)
    dismissToast(first + 1)
    expect($toast.get()).toBeNull()
  })

  test('a toast for the next page waits in session storage and is shown once', () => {
    raiseToastForNextPage(toasts.accountExists)
    expect($toast.get()).toBeNull()
    expect(JSON.parse(kept.get(storageKey('toast')) ?? '')).toEqual(toasts.accountExists)
    takeToastFromLastPage()
    expect($toast.get(), 'not on the page that is being left').toBeNull()
    window.dispatchEvent(new Event('pagehide'))
    takeToastFromLastPage()
    expect($toast.get()?.toast).toEqual(toasts.accountExists)
    $toast.set(null)
    takeToastFromLastPage()
    expect($toast.get()).toBeNull()
  })

  test('a toast on the screen of a page that redirects is shown on the next page too', () => {
    keepToastForNextPage()
    expect(kept.size).toBe(0)
    raiseToast(toasts.accountExists)
    keepToastForNextPage()
    expect(JSON.parse(kept.get(storageKey('toast')) ?? '')).toEqual(toasts.accountExists)
    window.dispatchEvent(new Event('pagehide'))
    kept.clear()
  })

  test.each(['', '{', '{"title":1}', 'null'])('a stored value that is no toast is removed: %o', (stored) => {
    kept.set(storageKey('toast'), stored)
    takeToastFromLastPage()
    expect($toast.get()).toBeNull()
    expect(kept.size).toBe(0)
  })
})
