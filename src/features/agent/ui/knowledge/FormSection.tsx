import { useId, type ReactNode } from 'react'

/** A part of a form under a heading of its own. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="frame row">
        <div>
          <h2 className="text-h4" id={id}>
            {title}
          </h2>
        </div>
        <div className="c8">
          <div className="grid max-w-form gap-6">{children}</div>
        </div>
      </div>
    </section>
  )
}
