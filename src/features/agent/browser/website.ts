import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { storageKey } from '#site'
import { browserStorage } from '#platform/browser/storage/storage.ts'
import { readPage } from './knowledge.ts'

/** The website that a customer has named in setup, and what became of reading it. */
export const $website = atom<{
  address: string
  status: 'none' | 'reading' | 'read' | { problem: string }
}>({ address: '', status: 'none' })

/** A website that a customer has named. Its text is null until it has been read. */
const website = z.object({ address: z.string(), text: z.nullable(z.string()) })
type Website = z.infer<typeof website>

const key = (userId: string): string => storageKey(`website_${userId}`)

/** Returns the website of which suggestions wait in this browser, or one that is still to be read; null without one. */
export function keptWebsite(userId: string): Website | null {
  try {
    return z.safeParse(website, JSON.parse(browserStorage.read(key(userId)) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

export const forgetWebsite = (userId: string): void => browserStorage.remove(key(userId))

/** Reads a page for its suggestions. This browser keeps its text, and its address alone if we could not be reached. */
export async function readAndKeep(userId: string, address: string): ReturnType<typeof readPage> {
  const keep = (text: string | null): void =>
    void browserStorage.write(key(userId), JSON.stringify({ address, text } satisfies Website))
  keep(null)
  const page = await readPage(address)
  if (keptWebsite(userId)?.address !== address) return page
  if (page.ok) keep(page.value.text)
  else if (page.failure.answered) forgetWebsite(userId)
  return page
}

/** Shows the website that was named before the page was loaded, and goes on reading it. */
export function openWebsite(userId: string): void {
  const kept = keptWebsite(userId)
  if (!kept || $website.get().address !== '') return
  $website.set({ address: kept.address, status: kept.text === null ? 'none' : 'read' })
  void readWebsite(userId)
}

/** Reads the named website while setup goes on. */
export async function readWebsite(userId: string): Promise<void> {
  const { address, status } = $website.get()
  if (status === 'reading' || status === 'read') return
  if (address.trim() === '') return forgetWebsite(userId)
  $website.set({ address, status: 'reading' })
  const page = await readAndKeep(userId, address.trim())
  // Another address may have been typed meanwhile.
  if ($website.get().address !== address) return
  $website.set({ address, status: page.ok ? 'read' : { problem: page.failure.message } })
}
