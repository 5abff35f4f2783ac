import type { ReactNode } from 'react'

/** A list of terms with what they are for one record. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className="text-sm">{children}</dl>

export const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="grid max-w-wide grid-cols-[minmax(5rem,8rem)_1fr] gap-x-3 gap-y-0.5 border-t py-1.5">
    <dt className="text-ink-2">{term}</dt>
    <dd className="wrap-anywhere whitespace-pre-line">{children}</dd>
  </div>
)

interface MoreProps {
  name: string
  /** What they are of, for screen readers. */
  label: string
  children: ReactNode
}

/** What is read seldom: it opens on a press. */
export const More = ({ name, label, children }: MoreProps) => (
  <details className="mt-0.5">
    <summary
      className="inline-flex min-h-7 cursor-pointer items-center text-sm underline underline-offset-[3px] max-md:min-h-11"
      aria-label={label}
    >
      {name}
    </summary>
    {children}
  </details>
)
