import type { ReactNode } from 'react'
import { titleRow } from '#platform/domain/app-variants.ts'
import { frame } from '#platform/domain/variants.ts'
import { site } from '#site'
import { helpFor } from '#platform/domain/routes.ts'

export const AppFooter = ({ children }: { children?: ReactNode }) => (
  <footer className="border-t" data-foot>
    <div className={`${frame} ${titleRow} p-pad`}>
      <p className="text-sm text-ink-2">
        © {site.copyrightYear} {site.name}
      </p>
      <p className="flex gap-5 text-sm">
        <a className="-my-3 inline-flex min-h-11 items-center" href={helpFor()}>
          Get help
        </a>
        {children}
      </p>
    </div>
  </footer>
)
