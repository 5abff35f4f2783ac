import { adminTabNames, adminTabPath, adminTabs, type AdminTab } from '#admin/domain/tabs.ts'
import { Logo } from '#platform/ui/Logo.tsx'
import type { OpenTab } from '#platform/ui/useTab.ts'

interface Props {
  tab: AdminTab
  open: OpenTab<AdminTab>
  onLogout: () => void
}

export const AdminBar = ({ tab, open, onLogout }: Props) => (
  <header className="bar inverse">
    <div className="frame app">
      <Logo />
      <nav className="tabs" aria-label="Administration">
        <ul>
          {adminTabs.map((each) => (
            <li key={each}>
              <a
                href={adminTabPath(each)}
                aria-current={each === tab ? 'page' : undefined}
                onClick={open(each)}
              >
                {adminTabNames[each]}
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
