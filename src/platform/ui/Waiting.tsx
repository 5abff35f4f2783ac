import { useEffect, useState, type ReactNode } from 'react'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { skeleton } from '#platform/domain/app-variants.ts'

/** Milliseconds after which the wait is explained and can be tried again. */
const longMs = 6_000

interface Props {
  /** Explains why nothing is shown yet; without it, an explanation appears only after a long wait. */
  children?: ReactNode
  onRetry?: () => void
  /** Further buttons beside Try again. */
  also?: ReactNode
  /** Loading has failed: it has to be tried again. */
  failed?: boolean
}

/** Shows that a page is loading, and lets the visitor try again if that fails or takes long. */
export function Waiting({ children, onRetry, also, failed = false }: Props) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs)
    return () => clearTimeout(timer)
  }, [])
  const isExplained = failed || isLong || children !== undefined
  return (
    <section>
      <div className={`${frame} ${gridRow}`}>
        <div
          className={cell({ span: 8, room: 'tall', class: 'grid content-start gap-4' })}
          aria-busy={!failed}
        >
          <h1 className="text-h4" role="status">
            {failed ? 'This did not load' : 'Loading'}
          </h1>
          {!failed && (
            <>
              <div className={skeleton({ size: 'short' })} />
              <div className={skeleton({ size: 'block' })} />
              <div className={skeleton({ size: 'long' })} />
            </>
          )}
          {isExplained && (
            <div className="grid gap-4" role={failed ? 'alert' : undefined}>
              {children ?? (
                <p>
                  {failed
                    ? 'We could not reach the server. Check your connection and try again.'
                    : 'This is taking longer than usual. You can wait, or try again.'}
                </p>
              )}
              {onRetry && (
                <p className="flex flex-wrap gap-3">
                  <button className={button({ kind: 'other' })} type="button" onClick={onRetry}>
                    Try again
                  </button>
                  {also}
                </p>
              )}
            </div>
          )}
        </div>
      </div>
    </section>
  )
}
