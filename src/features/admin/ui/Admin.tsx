import { Activity, useEffect, useState } from 'react'
import { site } from '#site'
import type { SiteBuild } from '#admin/domain/content/site-build.ts'
import { adminTabs, type AdminTab } from '#admin/domain/tabs.ts'
import type { AdminDataSettings } from '#admin/browser/content/admin-data.ts'
import { readContentRows, writeContent } from '#admin/browser/content/content.ts'
import { uploadDemoAudio } from '#admin/browser/content/demo-audio.ts'
import { readSiteBuild } from '#admin/browser/content/publication.ts'
import { listUsers, writeUserStatus } from '#admin/browser/users.ts'
import { AppFooter } from '#platform/ui/bars/AppFooter.tsx'
import { useRedirect } from '#platform/ui/hooks/redirect.ts'
import { useLogOut } from '#account/ui/useLogOut.ts'
import { reportErrors } from '#platform/browser/report-errors.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { TabBar } from '#platform/ui/bars/TabBar.tsx'
import { useTab } from '#platform/ui/hooks/useTab.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { AdminDataProvider } from './AdminDataProvider.tsx'
import { AdminNotices } from './AdminNotices.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { useAdminAccess } from './useAdminAccess.ts'

const contents = {
  users: onDemand(async () => (await import('#admin/ui/users/UsersTab.tsx')).UsersTab),
  demos: onDemand(async () => (await import('#admin/ui/demos/DemosTab.tsx')).DemosTab),
  faqs: onDemand(async () => (await import('#admin/ui/faqs/FaqsTab.tsx')).FaqsTab),
  leads: onDemand(async () => (await import('#admin/ui/LeadsTab.tsx')).LeadsTab),
  agents: onDemand(async () => (await import('#admin/ui/agents/AgentsTab.tsx')).AgentsTab),
  payments: onDemand(async () => (await import('#admin/ui/payments/PaymentsTab.tsx')).PaymentsTab),
  settings: onDemand(async () => (await import('#admin/ui/settings/SettingsTab.tsx')).SettingsTab),
}

/** Connects the admin's data to this browser's storage and to our server. */
const connections: Omit<AdminDataSettings, 'build'> = {
  storage: () => localStorage,
  events: window,
  now: () => Date.now(),
  server: {
    readRows: readContentRows,
    readBuild: readSiteBuild,
    listUsers,
    uploadAudio: uploadDemoAudio,
    write: (record) => ('email' in record ? writeUserStatus(record) : writeContent(record)),
  },
}

reportErrors()
void contents[adminTabs.tabOf(location) ?? adminTabs.first].ready()

/** /admin and its tabs. Others than the admin are sent away, and the database gives them nothing. */
export function Admin({ build }: { build: SiteBuild }) {
  const { tab, open } = useTab(adminTabs)
  const { isLeaving, logOut } = useLogOut()
  const [isAtRisk, setAtRisk] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { decision, ask } = useAdminAccess()
  useRedirect(decision.kind === 'redirect' && !isLeaving ? decision.url : null)

  const [visited, setVisited] = useState<readonly AdminTab[]>([tab])
  if (!visited.includes(tab)) setVisited([...visited, tab])

  useEffect(() => {
    document.title = `${adminTabs.names[tab]}, admin | ${site.name}`
  }, [tab])

  return (
    <>
      <TabBar
        label="Administration"
        isInverse
        tabs={adminTabs}
        tab={tab}
        open={open}
        onLogout={() => (isAtRisk ? setConfirming(true) : logOut())}
      />
      {isConfirming && (
        <ConfirmDialog
          title="Log out, and lose your changes?"
          action="Log out"
          onCancel={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false)
            logOut()
          }}
        >
          <p>Some of your changes are not on the server yet, and this browser does not keep them.</p>
        </ConfirmDialog>
      )}
      <main id="main">
        {decision.kind === 'allow' ? (
          <AdminDataProvider settings={{ ...connections, build }} onRisk={setAtRisk}>
            <AdminNotices />
            {/* A hidden tab keeps its typed texts. */}
            {visited.map((each) => {
              const Content = contents[each]
              return (
                <Activity key={each} mode={each === tab ? 'visible' : 'hidden'}>
                  <Content />
                </Activity>
              )
            })}
          </AdminDataProvider>
        ) : decision.kind === 'secondFactor' ? (
          <SecondFactor onPassed={ask} />
        ) : (
          <Waiting />
        )}
      </main>
      <AppFooter />
    </>
  )
}
