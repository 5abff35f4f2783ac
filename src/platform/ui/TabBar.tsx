import type { Tabs } from '#platform/domain/tabs.ts'
import { Logo } from './Logo.tsx'
import type { OpenTab } from './useTab.ts'
import { textButton } from '#platform/domain/variants.ts'

interface Props<Tab extends string> {
  /** Names the navigation for screen readers. */
  label: string
  className: string
  tabs: Tabs<Tab>
  /** The tab that is shown. */
  tab: Tab
  open: OpenTab<Tab>
  onLogout: () => void
}

/** The bar of an area with tabs: the logo, a link for each tab, and Logout. */
export const TabBar = <Tab extends string>({ label, className, tabs, tab, open, onLogout }: Props<Tab>) => (
  <header className={className}>
    <div className="frame app">
      <Logo />
      <nav className="tabs" aria-label={label}>
        <ul>
          {tabs.all.map((each) => (
            <li key={each}>
              <a
                href={tabs.pathOf(each)}
                aria-current={each === tab ? 'page' : undefined}
                onClick={open(each)}
              >
                {tabs.names[each]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <button className={textButton({ class: 'out' })} type="button" onClick={onLogout}>
        Logout
      </button>
    </div>
  </header>
)
