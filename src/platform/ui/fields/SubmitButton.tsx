import type { ReactElement, ReactNode } from 'react'
import type { Toast } from '#platform/domain/toasts.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'

interface Props {
  children: ReactNode
  disabled: boolean
  /** The problem of sending the form, in a sentence. */
  problem?: string
  /** False if the problem is announced elsewhere, such as by a toast. */
  announcesProblem?: boolean
  /** A page that helps with the problem. */
  problemLink?: Toast['link']
}

/** The button that sends a form. A problem that concerns no field is shown above it. */
export const SubmitButton = (props: Props): ReactElement => {
  const { children, disabled, problem, announcesProblem = true, problemLink } = props
  return (
    <>
      {problem && (
        <p className={problemLine} id="submit-problem" role={announcesProblem ? 'alert' : undefined}>
          {problemLink ? (
            <span>
              {problem} <a href={problemLink.href}>{problemLink.label}</a>
            </span>
          ) : (
            problem
          )}
        </p>
      )}
      <button
        className={button({ full: true })}
        id="submit"
        type="submit"
        disabled={disabled}
        aria-describedby={problem && 'submit-problem'}
      >
        {children}
      </button>
    </>
  )
}
