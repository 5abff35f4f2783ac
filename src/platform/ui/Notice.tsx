import type { ReactNode, RefObject } from 'react'
import { notice, noticeRow } from '#platform/domain/app-variants.ts'

interface Props {
  title: ReactNode
  /** Focusable, for the notice that takes the place of a pressed button. */
  heading?: RefObject<HTMLHeadingElement | null>
  role?: 'status' | 'alert'
  /** One or more paragraphs. */
  text: ReactNode
  /** Its buttons. */
  children?: ReactNode
}

/** A notice above a page's content. */
export const Notice = ({ title, heading, role, text, children }: Props) => (
  <section className={notice} role={role}>
    <div className={noticeRow}>
      <div>
        <h2 className="text-h4" ref={heading} tabIndex={heading && -1}>
          {title}
        </h2>
        <div className="mt-3 grid gap-3 text-sm text-ink-2">{text}</div>
      </div>
      {children}
    </div>
  </section>
)
