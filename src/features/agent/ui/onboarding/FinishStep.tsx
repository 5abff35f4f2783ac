import { agentWords } from '#agent/domain/agent-state.ts'
import { industryTemplates } from '#agent/domain/industry-templates.ts'
import { needsVoiceSample } from '#agent/domain/onboarding.ts'
import { renews } from '#billing/domain/status.ts'
import { planName } from '#plans/domain/plans.ts'
import type { Outcome } from '#platform/domain/field-problem.ts'
import { useForm } from '#platform/ui/fields/useForm.ts'
import { StepFrame, type StepProps } from './StepFrame.tsx'
import { ledger, ticks } from '#platform/domain/variants.ts'

interface Props extends StepProps {
  /** The status of the subscription. */
  status: string
  /** Returns how the set-up ended. */
  onFinish: () => Promise<Outcome>
}

export function FinishStep({ state, steps, status, onFinish }: Props) {
  const { isPending, attempt } = useForm()
  const { plan, sample, template } = state
  return (
    <StepFrame
      state={state}
      steps={steps}
      finish={() => void attempt(onFinish)}
      isFinishing={isPending}
      lead="Press Finish to open your portal. There you send your calls to your agent; your phone number is not stored yet."
      aside={
        <>
          <h2 className="text-label text-ink-2 uppercase">What happens next</h2>
          <ul className={`${ticks} text-sm`}>
            <li>{agentWords({ state: renews(status) ? 'not_set_up' : 'stopped', status }).next}</li>
            <li>There you teach it, and see your plan, its status and your minutes.</li>
            <li>
              You can change {needsVoiceSample(plan) && 'the voice sample and '}the template there at any
              time.
            </li>
          </ul>
        </>
      }
    >
      <dl className={ledger}>
        <div>
          <dt>Plan</dt>
          <dd>{planName(plan)}</dd>
        </div>
        <div>
          <dt>{needsVoiceSample(plan) ? 'Voice sample' : 'Voice'}</dt>
          <dd className="wrap-anywhere whitespace-normal">
            {sample?.name ?? (needsVoiceSample(plan) ? 'None yet' : 'Standard')}
          </dd>
        </div>
        <div>
          <dt>Template</dt>
          <dd>{template ? industryTemplates[template].name : 'None yet'}</dd>
        </div>
      </dl>
    </StepFrame>
  )
}
