import { atom, onMount } from 'nanostores'
import { readAdminUsers, type AdminUser } from '#clients/admin-users.ts'

export type AdminUsers =
  { status: 'loading' } | { status: 'failed' } | { status: 'ready'; users: readonly AdminUser[] }

/** Every account, for the admin; read when first looked at. */
export const $adminUsers = atom<AdminUsers>({ status: 'loading' })

export async function loadAdminUsers(): Promise<void> {
  if ($adminUsers.get().status === 'failed') $adminUsers.set({ status: 'loading' })
  const users = await readAdminUsers()
  $adminUsers.set(users ? { status: 'ready', users } : { status: 'failed' })
}

onMount($adminUsers, () => {
  void loadAdminUsers()
})
