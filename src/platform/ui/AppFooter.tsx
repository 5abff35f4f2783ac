import type { ReactNode } from 'react'
import { site } from '#site'
import { routes } from '#platform/domain/routes.ts'

export const AppFooter = ({ children }: { children?: ReactNode }) => (
  <footer className="foot rule">
    <div className="frame title">
      <p className="text-sm text-ink-2">
        © {site.copyrightYear} {site.name}
      </p>
      <p className="links text-sm">
        <a href={routes.contact}>Get help</a>
        {children}
      </p>
    </div>
  </footer>
)
