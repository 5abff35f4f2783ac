import { Field } from '#platform/ui/fields/Field.tsx'
import { StepFrame, type StepProps } from './StepFrame.tsx'
import { ticks } from '#platform/domain/variants.ts'
import { inputBox } from '#platform/domain/app-variants.ts'

/** The number is neither checked nor stored (specification, sections 3 and 4). */
export const ChannelStep = ({ state, steps }: StepProps) => (
  <StepFrame
    state={state}
    steps={steps}
    lead="The phone is the first channel. Which number should your agent answer?"
    aside={
      <>
        <h2 className="text-label text-ink-2 uppercase">How it will connect</h2>
        <ul className={`${ticks} text-sm`}>
          <li>You keep your number.</li>
          <li>Calls are forwarded to your agent, all of them or those you cannot take.</li>
          <li>Nothing changes for your callers until you say so.</li>
        </ul>
      </>
    }
  >
    <Field
      id="channel-phone"
      label="Phone number"
      hint="The number your callers dial today. It is not stored here: you can continue without it."
    >
      {(describedBy) => (
        <input
          className={inputBox()}
          id="channel-phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          placeholder="+1 207 555 0142"
          aria-describedby={describedBy}
        />
      )}
    </Field>
  </StepFrame>
)
