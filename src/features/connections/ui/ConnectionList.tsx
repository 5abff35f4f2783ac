import type { ReactNode } from 'react'

/** A list of keys, of addresses or of messages. */
export const ConnectionList = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <ul
    className={`max-w-form *:grid *:justify-items-start *:gap-1.5 *:border-b *:py-3 *:first:pt-0 ${className}`}
  >
    {children}
  </ul>
)
