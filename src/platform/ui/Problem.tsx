import type { ReactNode } from 'react'
import { problemLine } from '#platform/domain/app-variants.ts'

/** Says what went wrong, and announces it. Nothing is shown without a text. */
export const Problem = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className={problemLine} role="alert">
      {children}
    </p>
  ) : null
