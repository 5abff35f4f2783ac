import type { ReactElement, ReactNode } from 'react'

interface Props {
  children: ReactNode
  /** Where the panel's whole content is news. */
  role?: 'status' | 'alert'
}

/** The panel that a form has to itself: eight columns, the rest stays open. */
export const FormPage = ({ children, role }: Props): ReactElement => (
  <section>
    <div className="frame row">
      <div className="c8 tall" role={role}>
        {children}
      </div>
    </div>
  </section>
)
