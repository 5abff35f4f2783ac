import type { ReactElement, ReactNode } from 'react'

interface Props {
  children: ReactNode
  /** Given if the whole content is an announcement. */
  role?: 'status' | 'alert'
}

/** The layout of a page with one form: eight columns, the rest stays empty. */
export const FormPage = ({ children, role }: Props): ReactElement => (
  <section>
    <div className="frame row">
      <div className="c8 tall" role={role}>
        {children}
      </div>
    </div>
  </section>
)
