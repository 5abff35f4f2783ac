import * as z from 'zod/mini'
import { adminAccesses, type AdminAccess } from '#account/domain/guards.ts'
import { browserStorage } from '#platform/browser/storage/storage.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { storageKey } from '#site'

/** Holds the user's id and access, so that pages are right before the database has answered. It affects only the display. */
const key = storageKey('admin')

/** Returns what this browser last learned about a user's access; null if the user was no admin. */
export function knownAdminAccess(userId: string): AdminAccess | null {
  const [id, access] = browserStorage.read(key)?.split(' ') ?? []
  return id === userId ? (adminAccesses.find((each) => each === access) ?? null) : null
}

/** Asks the database how far the signed-in user may go into the admin area; null if it does not answer. */
export async function readAdminAccess(userId: string): Promise<AdminAccess | null> {
  const { data } = await supabase().rpc('admin_access')
  const access = z.safeParse(z.enum(adminAccesses), data).data
  if (access === 'none') forgetAdminAccess()
  else if (access) browserStorage.write(key, `${userId} ${access}`)
  return access ?? null
}

export const forgetAdminAccess = (): void => browserStorage.remove(key)
