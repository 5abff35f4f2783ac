import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { createAdminData, type AdminDataStore, type AdminState } from '#admin/browser/admin-data.ts'
import { browserAdminData } from './browser-admin-data.ts'

const AdminDataContext = createContext<AdminDataStore | null>(null)

interface Props {
  /** What the data needs of the world; this browser's storage and our server where not given. */
  settings?: Parameters<typeof createAdminData>[0]
  children: ReactNode
}

/** Holds the admin's data for what is drawn inside: opened once, kept in step with other tabs and with the server. */
export function AdminDataProvider({ settings = browserAdminData, children }: Props): ReactElement {
  const [store] = useState(() => createAdminData(settings))

  useEffect(() => {
    void store.open()
    const stored = (event: StorageEvent): void => store.noticeKey(event.key)
    const returned = (): void => {
      if (document.visibilityState === 'visible') void store.reload()
    }
    addEventListener('storage', stored)
    addEventListener('online', returned)
    document.addEventListener('visibilitychange', returned)
    return () => {
      removeEventListener('storage', stored)
      removeEventListener('online', returned)
      document.removeEventListener('visibilitychange', returned)
      store.close()
    }
  }, [store])

  return <AdminDataContext value={store}>{children}</AdminDataContext>
}

/** The admin's data as it stands, with what can be done to it. */
export function useAdminData(): AdminState & Omit<AdminDataStore, 'state' | 'open' | 'noticeKey' | 'close'> {
  const store = useContext(AdminDataContext)
  // The words of the specification, section 8.
  if (!store) throw new Error('useAdminData, the admin hook, must be used within an admin provider')
  return { ...store, ...useStore(store.state) }
}
