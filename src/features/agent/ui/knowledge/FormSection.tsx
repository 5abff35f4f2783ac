import { useId, type ReactNode } from 'react'
import { cell, frame, gridRow } from '#platform/domain/variants.ts'
import { formGrid } from '#platform/domain/app-variants.ts'

/** A part of a form under a heading of its own. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={`${frame} ${gridRow}`}>
        <div className={cell()}>
          <h2 className="text-h4" id={id}>
            {title}
          </h2>
        </div>
        <div className={cell({ span: 8 })}>
          <div className={formGrid}>{children}</div>
        </div>
      </div>
    </section>
  )
}
