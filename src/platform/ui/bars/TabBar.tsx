import { useEffect, useRef } from 'react'
import type { Tabs } from '#platform/domain/tabs.ts'
import { Logo } from './Logo.tsx'
import type { OpenTab } from '#platform/ui/hooks/useTab.ts'
import { textButton } from '#platform/domain/variants.ts'
import { tabBar } from '#platform/domain/app-variants.ts'

interface Props<Tab extends string> {
  /** Names the navigation for screen readers. */
  label: string
  /** Whether it is a dark panel. */
  isInverse?: boolean
  tabs: Tabs<Tab>
  /** The tab that is shown. */
  tab: Tab
  open: OpenTab<Tab>
  onLogout: () => void
}

/** The bar of an area with tabs: the logo, a link for each tab, and Logout. The open tab is in view. */
export function TabBar<Tab extends string>({
  label,
  isInverse = false,
  tabs,
  tab,
  open,
  onLogout,
}: Props<Tab>) {
  const row = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const centre = (): void => {
      const shown = row.current?.querySelector('[aria-current=page]')?.getBoundingClientRect()
      const { left = 0, width = 0 } = row.current?.getBoundingClientRect() ?? {}
      if (shown) row.current?.scrollBy({ left: shown.left + shown.width / 2 - left - width / 2 })
    }
    centre()
    addEventListener('resize', centre)
    return () => removeEventListener('resize', centre)
  }, [tab])
  return (
    <header className={isInverse ? 'inverse' : undefined}>
      <div className={tabBar.frame}>
        <Logo class={tabBar.logo} />
        <nav className={tabBar.nav} aria-label={label}>
          <ul className={tabBar.list} ref={row}>
            {tabs.all.map((each) => (
              <li key={each} className={tabBar.item}>
                <a
                  className={tabBar.tab}
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
        <button className={textButton({ class: tabBar.out })} type="button" onClick={onLogout}>
          Logout
        </button>
      </div>
    </header>
  )
}
