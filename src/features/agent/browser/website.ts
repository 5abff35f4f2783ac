import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { readPage } from './knowledge.ts'

const kept = z.object({
  address: z.string(),
  /** What the page says; null until it was read. */
  text: z.nullable(z.string()),
})

/** The website that a customer has named in setup, and what became of reading it. */
export const $website = atom<{
  address: string
  status: 'none' | 'reading' | 'read' | { problem: string }
}>({ address: '', status: 'none' })

const key = (userId: string): string => storageKey(`website_${userId}`)
const keep = (userId: string, website: z.infer<typeof kept>): void =>
  void tabStorage.write(key(userId), JSON.stringify(website))

/** Returns the website that was named in this tab, and its text; null if none was. */
export function keptWebsite(userId: string): z.infer<typeof kept> | null {
  try {
    return z.safeParse(kept, JSON.parse(tabStorage.read(key(userId)) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

/** Forgets the website: the portal reads another page. */
export const forgetWebsite = (userId: string): void => tabStorage.remove(key(userId))

/** Reads the named website while setup goes on. This tab keeps its text, from which the portal makes suggestions. */
export async function readWebsite(userId: string): Promise<void> {
  const { address, status } = $website.get()
  if (address.trim() === '' || status === 'reading' || status === 'read') return
  $website.set({ address, status: 'reading' })
  keep(userId, { address, text: null })
  const page = await readPage(address.trim())
  // Another address may have been typed meanwhile.
  if ($website.get().address !== address) return
  if (page.ok) keep(userId, { address, text: page.value.text })
  $website.set({ address, status: page.ok ? 'read' : { problem: page.failure.message } })
}
