import { atom } from 'nanostores'
import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { readPage } from './knowledge.ts'

/** The website that a customer has named in setup, and what became of reading it. */
export const $website = atom<{
  address: string
  status: 'none' | 'reading' | 'read' | { problem: string }
}>({ address: '', status: 'none' })

/** What this tab keeps of the website: its address, and its text once it was read. */
const key = (userId: string, part: 'address' | 'text'): string => storageKey(`website_${part}_${userId}`)

/** Returns what was named and read in this tab; an empty text if nothing was. */
export const keptWebsite = (userId: string): { address: string; text: string } => ({
  address: tabStorage.read(key(userId, 'address')) ?? '',
  text: tabStorage.read(key(userId, 'text')) ?? '',
})

/** Forgets the text: the portal reads another page. */
export const forgetWebsite = (userId: string): void => tabStorage.remove(key(userId, 'text'))

/** Reads the named website while setup goes on. This tab keeps its text, from which the portal makes suggestions. */
export async function readWebsite(userId: string): Promise<void> {
  const { address, status } = $website.get()
  if (address.trim() === '' || status === 'reading' || status === 'read') return
  $website.set({ address, status: 'reading' })
  forgetWebsite(userId)
  tabStorage.write(key(userId, 'address'), address)
  const page = await readPage(address.trim())
  // Another address may have been typed meanwhile.
  if ($website.get().address !== address) return
  if (page.ok) tabStorage.write(key(userId, 'text'), page.value.text)
  $website.set({ address, status: page.ok ? 'read' : { problem: page.failure.message } })
}
