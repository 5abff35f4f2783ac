import { adminTabNames, adminTabPath, adminTabs, type AdminTab } from '#admin/domain/tabs.ts'
import { TabBar } from '#platform/ui/TabBar.tsx'
import type { OpenTab } from '#platform/ui/useTab.ts'

interface Props {
  tab: AdminTab
  open: OpenTab<AdminTab>
  onLogout: () => void
}

const tabs = { tabs: adminTabs, names: adminTabNames, pathOf: adminTabPath }

export const AdminBar = (props: Props) => (
  <TabBar label="Administration" className="bar inverse" {...tabs} {...props} />
)
