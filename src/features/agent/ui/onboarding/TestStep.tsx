import { generalTemplateIds, industryTemplates } from '#agent/domain/industry-templates.ts'
import { StepFrame, type StepProps } from './StepFrame.tsx'
import { button, ticks } from '#platform/domain/variants.ts'

export const TestStep = ({ state, steps, onTest }: StepProps & { onTest: () => void }) => (
  <StepFrame
    state={state}
    steps={steps}
    lead="Talk to your agent as your callers will. Your browser asks for the microphone when you press Speak; you can also type."
    aside={
      <>
        <h2 className="text-label text-ink-2 uppercase">Things to ask</h2>
        <ul className={`${ticks} text-sm`}>
          {industryTemplates[state.template ?? generalTemplateIds[0]].asks.map((sentence) => (
            <li key={sentence}>“{sentence}”</li>
          ))}
          <li>“Can I speak to a person?”</li>
        </ul>
      </>
    }
  >
    <div className="grid justify-items-start gap-4 rounded-strip border-[1.5px] border-dashed border-edge p-6">
      <p>
        <b>Ready when you are</b>
        <br />
        <span className="text-sm text-ink-2">
          It knows what you have told it so far; you teach it the rest in your portal. You can test as often
          as you like, or continue and test later.
        </span>
      </p>
      <button className={button({ kind: 'other' })} type="button" onClick={onTest}>
        Start AI Conversation
      </button>
    </div>
  </StepFrame>
)
