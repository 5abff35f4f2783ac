import { useEffect, useRef, type ReactNode } from 'react'
import { onboardingSteps, stepIndex, stepTitles, type OnboardingState } from '#agent/domain/onboarding.ts'
import type { OnboardingStore } from '#agent/browser/onboarding.ts'
import { button, cell, gridRow } from '#platform/domain/variants.ts'
import { buttonRow, stack, titleRow } from '#platform/domain/app-variants.ts'

export interface StepProps {
  state: OnboardingState
  steps: OnboardingStore
}

interface Props extends StepProps {
  lead: ReactNode
  children?: ReactNode
  aside: ReactNode
  /** Finishes the set-up; only on the last step. */
  finish?: () => void
  isFinishing?: boolean
}

/** The layout of every step: number, heading, Next and Back. The heading gets the focus when the step changes. */
export function StepFrame({ state, steps, lead, children, aside, finish, isFinishing = false }: Props) {
  const index = stepIndex(state.step)
  const following = onboardingSteps[index + 1]
  return (
    <div className={`${gridRow} border-t`}>
      <div className={cell({ span: 8, room: 'tall', class: stack })}>
        <p className={`${titleRow} max-w-wide`}>
          <span className="text-label text-ink-2 uppercase">
            Step {index + 1} of {onboardingSteps.length}
          </span>
          {following && <span className="text-sm text-ink-2">Next: {stepTitles[following]}</span>}
        </p>
        <StepHeading key={state.step}>{stepTitles[state.step]}</StepHeading>
        <p className="text-lead text-ink-2">{lead}</p>
        <form
          className="mt-4 grid max-w-wide gap-6"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (finish) finish()
            else void steps.next()
          }}
        >
          {children}
          <div className={buttonRow}>
            <button className={button()} type="submit" disabled={isFinishing}>
              {finish ? (isFinishing ? 'Finishing...' : 'Finish') : state.isSaving ? 'Saving...' : 'Next'}
            </button>
            {index > 0 && (
              <button
                className={button({ kind: 'other' })}
                type="button"
                disabled={isFinishing}
                onClick={steps.back}
              >
                Back
              </button>
            )}
          </div>
        </form>
      </div>
      <aside className={cell({ room: 'tall', class: stack })}>{aside}</aside>
    </div>
  )
}

/** The first heading of the page does not take the focus. */
let isFirstHeading = true

function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirstHeading) {
      heading.current?.focus()
      window.scrollTo({ top: 0 })
    }
    isFirstHeading = false
  }, [])
  return (
    <h1 className="text-mid" ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
