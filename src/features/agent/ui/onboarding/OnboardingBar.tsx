import type { ReactNode } from 'react'
import { Logo } from '#platform/ui/bars/Logo.tsx'
import { plainBar, textButton } from '#platform/domain/variants.ts'

interface Props {
  /** The link that leaves the wizard. */
  children?: ReactNode
  onLogout: () => void
}

export const OnboardingBar = ({ children, onLogout }: Props) => (
  <header>
    <div className={plainBar.frame}>
      <Logo />
      <p className={plainBar.note}>
        {children}
        <button className={textButton({ class: 'text-sm text-ink-2' })} type="button" onClick={onLogout}>
          Logout
        </button>
      </p>
    </div>
  </header>
)
