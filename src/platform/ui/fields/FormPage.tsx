import type { ReactElement, ReactNode } from 'react'
import { Cord, Jack } from '#platform/ui/drawing.tsx'
import { cell, frame, gridRow } from '#platform/domain/variants.ts'

interface Props {
  children: ReactNode
  /** Given if the whole content is an announcement. */
  role?: 'status' | 'alert'
}

const columns = [70, 210, 350, 490]
const rows = [290, 390]
const plug = { x: 210, y: 390 }
const lamp = { cx: 420, cy: 110 }

/** The layout of a page with one form: the form on the left, a switchboard on the right where there is room. */
export const FormPage = ({ children, role }: Props): ReactElement => (
  <section>
    <div className={`${frame} ${gridRow}`}>
      <div className={cell({ span: 6, room: 'tall' })} role={role}>
        {children}
      </div>
      <div
        className={cell({ span: 6, class: 'inverse hidden place-items-center md:grid' })}
        aria-hidden="true"
      >
        <svg className="w-full max-w-140" viewBox="0 0 560 560">
          {rows.map((y) => columns.map((x) => <Jack key={`${x} ${y}`} x={x} y={y} />))}
          <circle className="jk" {...lamp} r="92" />
          <circle className="jk" {...lamp} r="80" />
          <Cord d="M210 390C210 620 420 560 420 110" />
          <circle className="fs" {...lamp} r="66" />
          <circle className="plug" cx={plug.x} cy={plug.y} r="11" />
        </svg>
      </div>
    </div>
  </section>
)
