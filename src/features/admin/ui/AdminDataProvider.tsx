import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { createAdminData } from '#admin/browser/content/admin-data.ts'
import type { AdminDataSettings, AdminDataStore, AdminState } from '#admin/browser/content/admin-data.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'

const AdminDataContext = createContext<AdminDataStore | null>(null)

interface Props {
  settings: AdminDataSettings
  /** Receives whether logging out would lose a change. */
  onRisk?: (isAtRisk: boolean) => void
  children: ReactNode
}

/** Provides the admin's data, synchronized with other tabs and with the server. */
export function AdminDataProvider({ settings, onRisk, children }: Props): ReactElement {
  const [store] = useState(() => createAdminData(settings))

  useEffect(() => {
    void store.open()
    const onReturn = (): void => {
      if (document.visibilityState === 'visible') void store.reload()
    }
    addEventListener('online', onReturn)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      removeEventListener('online', onReturn)
      document.removeEventListener('visibilitychange', onReturn)
      store.close()
    }
  }, [store])

  const { isAtRisk, unsaved } = useStore(store.state)
  // The users are removed from this browser with the log-out, and their unsaved changes with them.
  const isLostByLogout = isAtRisk || unsaved.some(({ collection }) => collection === 'users')
  useEffect(() => {
    warnBeforeUnload(isAtRisk)
    onRisk?.(isLostByLogout)
  }, [isAtRisk, isLostByLogout, onRisk])

  return <AdminDataContext value={store}>{children}</AdminDataContext>
}

/** Returns the admin's data and the functions that change it. */
export function useAdminData(): AdminState & Omit<AdminDataStore, 'state' | 'open' | 'close'> {
  const store = useContext(AdminDataContext)
  // The specification, section 8, gives these words.
  if (!store) throw new Error('useAdminData, the admin hook, must be used within an admin provider')
  return { ...store, ...useStore(store.state) }
}
