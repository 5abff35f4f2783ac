import { onboardingSteps, stepIndex, stepTitles, type OnboardingStep } from '#agent/domain/onboarding.ts'
import { cordPath } from '#platform/domain/drawing.ts'
import { Cord, Jack } from '#platform/ui/drawing.tsx'
import { lampAbove } from '#platform/domain/variants.ts'

interface Board {
  className: string
  viewBox: string
  /** Returns the centre of the jack of a step. */
  x: (index: number) => number
  y: number
  /** How far a cord hangs below its plugs. */
  sag: number
}

const boards: readonly Board[] = [
  { className: 'max-md:hidden', viewBox: '0 0 1344 112', x: (index) => 42 + 224 * index, y: 28, sag: 84 },
  { className: 'md:hidden', viewBox: '0 0 360 76', x: (index) => 26 + 60 * index, y: 22, sag: 56 },
]

/** Shows progress as a row of jacks, with a cord up to the current step. */
export function CordPath({ step }: { step: OnboardingStep }) {
  const current = stepIndex(step)
  return (
    <div className="grid *:[grid-area:1/1]">
      <ol className="grid grid-cols-6" aria-label="Setup steps">
        {onboardingSteps.map((id, index) => (
          <li
            key={id}
            className={lampAbove({
              state: index < current ? 'done' : index === current ? 'lit' : 'unlit',
              // Below 768 px the names would not fit: only screen readers have them.
              class:
                'min-h-26 pt-3.5 pr-2 pl-[10.7%] text-[0px] leading-[1.3] font-semibold text-ink-2 not-first:border-l aria-[current]:text-ink md:min-h-46 md:text-(length:--text-label)',
            })}
            aria-current={index === current ? 'step' : undefined}
          >
            {stepTitles[id]}
            {index < current && <span className="sr-only"> (done)</span>}
          </li>
        ))}
      </ol>
      {boards.map(({ className, viewBox, x, y, sag }) => (
        <svg key={className} className={`w-full self-end ${className}`} viewBox={viewBox} aria-hidden="true">
          {onboardingSteps.map((id, index) => (
            <Jack key={id} x={x(index)} y={y} />
          ))}
          {onboardingSteps.slice(0, current).map((id, index) => (
            <Cord key={id} d={cordPath({ x: x(index), y }, { x: x(index + 1), y }, sag)} />
          ))}
          {onboardingSteps.slice(0, current + 1).map((id, index) => (
            <circle key={id} className="plug" cx={x(index)} cy={y} r="11" />
          ))}
        </svg>
      ))}
    </div>
  )
}
