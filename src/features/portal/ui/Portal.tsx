import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { site } from '#site'
import { portalGuard } from '#account/domain/guards.ts'
import { arrivedFromOnboarding, portalTabs } from '#portal/domain/tabs.ts'
import { routes } from '#platform/domain/routes.ts'
import { postponedOnboarding } from '#account/browser/onboarding-record.ts'
import { $session } from '#account/browser/session-store.ts'
import { $subscription, refreshSubscription } from '#billing/browser/subscription-store.ts'
import { AppFooter } from '#platform/ui/bars/AppFooter.tsx'
import { knownSubscription } from '#billing/ui/known-subscription.ts'
import { NoSubscription } from '#billing/ui/NoSubscription.tsx'
import { useRedirect } from '#platform/ui/hooks/redirect.ts'
import { reportErrors } from '#platform/browser/report-errors.ts'
import { onUse } from '#platform/browser/loading.ts'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { TabBar } from '#platform/ui/bars/TabBar.tsx'
import { UnsavedNotice } from '#platform/ui/UnsavedNotice.tsx'
import { useTab } from '#platform/ui/hooks/useTab.ts'
import { useLogOut } from '#account/ui/useLogOut.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { useRoundButton } from '#agent/ui/useRoundButton.ts'
import { linkedCall } from '#portal/browser/linked-call.ts'
import { Notices } from './Notices.tsx'
import { button } from '#platform/domain/variants.ts'

const contents = {
  dashboard: onDemand(async () => (await import('./Dashboard.tsx')).Dashboard),
  bookings: onDemand(async () => (await import('#bookings/ui/BookingsTab.tsx')).BookingsTab),
  agent: onDemand(async () => (await import('./AgentTab.tsx')).AgentTab),
  voice: onDemand(async () => (await import('./VoiceTab.tsx')).VoiceTab),
  billing: onDemand(async () => (await import('./BillingTab.tsx')).BillingTab),
  connections: onDemand(async () => (await import('#connections/ui/Connections.tsx')).Connections),
  settings: onDemand(async () => (await import('./SettingsTab.tsx')).SettingsTab),
}

reportErrors()
void contents[portalTabs.tabOf(location) ?? portalTabs.first].ready()

/** /portal and its tabs, for signed-in customers. */
export function Portal() {
  const session = useStore($session)
  const state = useStore($subscription)
  const { tab, open } = useTab(portalTabs)
  const { isLeaving, logOut, leaveDeleted } = useLogOut()
  const [isWelcome, setWelcome] = useState(() => arrivedFromOnboarding(location.search))

  const postponed = session.status === 'signedIn' && postponedOnboarding.isPostponed(session.user.id)
  const decision = portalGuard(session, knownSubscription(state), postponed)
  useRedirect(decision.kind === 'redirect' && !isLeaving ? decision.url : null)

  const isIn = decision.kind === 'allow'
  const userId = isIn && session.status === 'signedIn' ? session.user.id : null
  useRoundButton(
    userId === null
      ? null
      : () =>
          void onUse(import('#agent/browser/try-out.ts'), ({ tryOutStored }) =>
            tryOutStored('portal', userId),
          ),
  )
  useEffect(() => {
    if (isIn) linkedCall.reopen()
    else if (session.status === 'signedOut') linkedCall.keep()
  }, [isIn, session.status])
  useEffect(() => {
    if (isIn && arrivedFromOnboarding(location.search)) history.replaceState(null, '', routes.portal)
  }, [isIn])
  useEffect(() => {
    document.title = `${portalTabs.names[tab]} | ${site.name}`
  }, [tab])

  return (
    <>
      <TabBar label="Account" tabs={portalTabs} tab={tab} open={open} onLogout={logOut} />
      <main id="main">
        {isIn && session.status === 'signedIn' && state.status === 'ready' ? (
          <>
            <Notices
              subscription={state.subscription}
              welcome={isWelcome && tab === 'dashboard'}
              onBilling={tab === 'billing'}
              onWelcomeRead={() => setWelcome(false)}
              openBilling={open('billing')}
            />
            <UnsavedNotice
              leadTo={(place) => {
                const name = place === 'bookings' || place === 'settings' ? place : 'agent'
                return (
                  tab !== name && (
                    <a
                      key={name}
                      className={button({ size: 'small' })}
                      href={portalTabs.pathOf(name)}
                      onClick={open(name)}
                    >
                      Open {portalTabs.names[name]}
                    </a>
                  )
                )
              }}
            />
            {tab === 'dashboard' && (
              <contents.dashboard
                subscription={state.subscription}
                userId={session.user.id}
                openBilling={open('billing')}
                openAgent={open('agent')}
              />
            )}
            {tab === 'bookings' && <contents.bookings userId={session.user.id} />}
            {tab === 'agent' && <contents.agent userId={session.user.id} plan={state.subscription.plan} />}
            {tab === 'voice' && <contents.voice userId={session.user.id} plan={state.subscription.plan} />}
            {tab === 'billing' && (
              <contents.billing subscription={state.subscription} userId={session.user.id} />
            )}
            {tab === 'connections' && <contents.connections />}
            {tab === 'settings' && (
              <contents.settings user={session.user} onLogout={logOut} onDeleted={leaveDeleted} />
            )}
          </>
        ) : session.status === 'signedIn' && state.status === 'missing' ? (
          <NoSubscription email={session.user.email} onLogout={logOut} />
        ) : (
          <Waiting failed={state.status === 'failed'} onRetry={() => void refreshSubscription()} />
        )}
      </main>
      <AppFooter />
    </>
  )
}
