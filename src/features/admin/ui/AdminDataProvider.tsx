import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { keptByPageAlone, type AdminState } from '#admin/domain/admin-state.ts'
import { createAdminData, type AdminDataSettings, type AdminDataStore } from '#admin/browser/admin-data.ts'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'

const AdminDataContext = createContext<AdminDataStore | null>(null)

interface Props {
  settings: AdminDataSettings
  /** Receives whether leaving the page would lose a change. */
  onRisk?: (isAtRisk: boolean) => void
  children: ReactNode
}

/** Provides the admin's data, synchronized with other tabs and with the server. */
export function AdminDataProvider({ settings, onRisk, children }: Props): ReactElement {
  const [store] = useState(() => createAdminData(settings))

  useEffect(() => {
    void store.open()
    const onStorage = (event: StorageEvent): void => store.onStorage(event.key)
    const onReturn = (): void => {
      if (document.visibilityState === 'visible') void store.reload()
    }
    addEventListener('storage', onStorage)
    addEventListener('online', onReturn)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      removeEventListener('storage', onStorage)
      removeEventListener('online', onReturn)
      document.removeEventListener('visibilitychange', onReturn)
      store.close()
    }
  }, [store])

  const isAtRisk = keptByPageAlone(useStore(store.state)).length > 0
  useEffect(() => {
    warnBeforeUnload(isAtRisk)
    onRisk?.(isAtRisk)
  }, [isAtRisk, onRisk])

  return <AdminDataContext value={store}>{children}</AdminDataContext>
}

/** Returns the admin's data and the functions that change it. */
export function useAdminData(): AdminState & Omit<AdminDataStore, 'state' | 'open' | 'onStorage' | 'close'> {
  const store = useContext(AdminDataContext)
  // The specification, section 8, gives these words.
  if (!store) throw new Error('useAdminData, the admin hook, must be used within an admin provider')
  return { ...store, ...useStore(store.state) }
}
