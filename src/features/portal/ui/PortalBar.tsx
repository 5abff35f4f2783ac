import type { MouseEvent } from 'react'
import { portalTabNames, portalTabPath, portalTabs, type PortalTab } from '#portal/domain/tabs.ts'
import { Logo } from '#platform/ui/Logo.tsx'

interface Props {
  tab: PortalTab
  open: (tab: PortalTab) => (event: MouseEvent<HTMLAnchorElement>) => void
  onLogout: () => void
}

export const PortalBar = ({ tab, open, onLogout }: Props) => (
  <header className="bar">
    <div className="frame app">
      <Logo />
      <nav className="tabs" aria-label="Account">
        <ul>
          {portalTabs.map((each) => (
            <li key={each}>
              <a
                href={portalTabPath(each)}
                aria-current={each === tab ? 'page' : undefined}
                onClick={open(each)}
              >
                {portalTabNames[each]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <button className="text out" type="button" onClick={onLogout}>
        Logout
      </button>
    </div>
  </header>
)
