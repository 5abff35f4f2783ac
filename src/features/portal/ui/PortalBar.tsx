import { portalTabNames, portalTabPath, portalTabs, type PortalTab } from '#portal/domain/tabs.ts'
import { TabBar } from '#platform/ui/TabBar.tsx'
import type { OpenTab } from '#platform/ui/useTab.ts'

interface Props {
  tab: PortalTab
  open: OpenTab<PortalTab>
  onLogout: () => void
}

const tabs = { tabs: portalTabs, names: portalTabNames, pathOf: portalTabPath }

export const PortalBar = (props: Props) => <TabBar label="Account" className="bar" {...tabs} {...props} />
