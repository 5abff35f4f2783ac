import { industryTemplates } from '#agent/domain/industry-templates.ts'
import { missingOf } from '#agent/domain/onboarding.ts'
import { BusinessNameField } from '#agent/ui/knowledge/BusinessNameField.tsx'
import { TemplateChoice } from './TemplateChoice.tsx'
import { StepFrame, type StepProps } from './StepFrame.tsx'
import { WebsiteField } from './WebsiteField.tsx'
import { ticks } from '#platform/domain/variants.ts'
import { stack } from '#platform/domain/app-variants.ts'

export function TemplateStep({ state, steps }: StepProps) {
  const chosen = state.template && industryTemplates[state.template]
  return (
    <StepFrame
      state={state}
      steps={steps}
      lead="A template tells your agent your trade. You can change it later in the portal."
      aside={
        <div className={stack} aria-live="polite">
          <h2 className="text-label text-ink-2 uppercase">Teach it first</h2>
          {chosen ? (
            <ul className={`${ticks} text-sm`}>
              {chosen.tasks.map((task) => (
                <li key={task}>{task}</li>
              ))}
            </ul>
          ) : (
            <p className="text-ink-2">Choose one to see what to teach your agent first.</p>
          )}
        </div>
      }
    >
      <TemplateChoice chosen={state.template} problem={missingOf(state)} onChoose={steps.chooseTemplate} />
      <BusinessNameField />
      <WebsiteField userId={state.userId} />
    </StepFrame>
  )
}
