import { planFacts, planName, plans } from '#plans/domain/plans.ts'
import { needsVoiceSample, onboardingSteps } from '#agent/domain/onboarding.ts'
import { site } from '#site'
import { StepFrame, type StepProps } from './StepFrame.tsx'
import { ledger, ticks } from '#platform/domain/variants.ts'

export function WelcomeStep({ state, steps }: StepProps) {
  const plan = plans.find(({ id }) => id === state.plan)
  return (
    <StepFrame
      state={state}
      steps={steps}
      lead={`${onboardingSteps.length} short steps, about 10 minutes. Your choices are kept, so you can stop at any time and continue later.`}
      aside={
        <>
          <h2 className="text-label text-ink-2 uppercase">Your plan</h2>
          <p className="text-[1.25rem] leading-[1.45] tracking-[-0.01em]">{planName(state.plan)}</p>
          {plan && (
            <dl className={`${ledger} text-sm`}>
              {planFacts(plan)
                .slice(0, 4)
                .map(({ term, value }) => (
                  <div key={term}>
                    <dt>{term}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
            </dl>
          )}
        </>
      }
    >
      <ul className={ticks}>
        <li>
          {needsVoiceSample(state.plan)
            ? 'A voice sample: a minute of speech, recorded here or uploaded.'
            : 'A voice: one of our standard voices.'}
        </li>
        <li>A template: the trade that your agent answers for.</li>
        <li>A phone number: the line that {site.name} will answer.</li>
        <li>A test: talk to the agent before your callers do.</li>
      </ul>
    </StepFrame>
  )
}
