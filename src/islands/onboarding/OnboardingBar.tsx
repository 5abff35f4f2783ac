import type { ReactNode } from 'react'
import { Logo } from '../panel/Logo.tsx'

export const OnboardingBar = ({ children }: { children?: ReactNode }) => (
  <header className="bar">
    <div className="frame plain">
      <Logo />
      <p className="note">{children}</p>
    </div>
  </header>
)
