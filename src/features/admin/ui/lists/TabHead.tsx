import type { ReactNode, Ref } from 'react'
import { titleRow } from '#platform/domain/app-variants.ts'

interface Props {
  name: string
  heading?: Ref<HTMLHeadingElement>
  /** Beside the heading. */
  mark?: ReactNode
  /** At the right: what finds or adds entries. */
  children?: ReactNode
}

/** The head of a tab. */
export const TabHead = ({ name, heading, mark, children }: Props) => (
  <div className={`${titleRow} p-pad`}>
    <div className="flex flex-wrap items-center gap-3">
      <h1 className="text-mid focus:outline-0" ref={heading} tabIndex={-1}>
        {name}
      </h1>
      {mark}
    </div>
    {children}
  </div>
)
