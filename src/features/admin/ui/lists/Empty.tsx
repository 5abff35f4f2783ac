import type { ReactNode } from 'react'
import { LooseCord } from '#platform/ui/drawing.tsx'

/** Stands in the place of a list that has no entries. */
export const Empty = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid items-center gap-6 border-t p-pad md:grid-cols-2">
    <LooseCord />
    <div>
      <h3>{title}</h3>
      <p className="text-ink-2">{children}</p>
    </div>
  </div>
)
