import { missingOf, needsVoiceSample, voiceWords } from '#agent/domain/onboarding.ts'
import type { VoiceUploadStore } from '#agent/browser/voice/voice-upload.ts'
import { VoiceSampleField } from '#agent/ui/voice/VoiceSampleField.tsx'
import { StepFrame, type StepProps } from './StepFrame.tsx'
import { ledger, ticks } from '#platform/domain/variants.ts'

export function VoiceStep({ state, steps, upload }: StepProps & { upload: VoiceUploadStore }) {
  if (!needsVoiceSample(state.plan)) return <StandardVoices state={state} steps={steps} />
  return (
    <StepFrame
      state={state}
      steps={steps}
      lead={voiceWords(state.plan)}
      aside={
        <>
          <h2 className="text-label text-ink-2 uppercase">For a good sample</h2>
          <ul className={`${ticks} text-sm`}>
            <li>A minute of speech. Record now shows you a text to read.</li>
            <li>A quiet room, no music, no speakerphone.</li>
            <li>Your usual pace. Smile where you would smile.</li>
            <li>One voice only: yours, or one whose speaker has agreed in writing.</li>
          </ul>
        </>
      }
    >
      <VoiceSampleField upload={upload} problem={missingOf(state)} />
    </StepFrame>
  )
}

const StandardVoices = ({ state, steps }: StepProps) => (
  <StepFrame
    state={state}
    steps={steps}
    lead={voiceWords(state.plan)}
    aside={
      <>
        <h2 className="text-label text-ink-2 uppercase">A voice of your own</h2>
        <p className="text-ink-2">If you change your plan, you can upload a recording in the portal.</p>
      </>
    }
  >
    <dl className={ledger}>
      <div>
        <dt>Friendly</dt>
        <dd className="text-ink-2">warm, unhurried</dd>
      </div>
      <div>
        <dt>Professional</dt>
        <dd className="text-ink-2">clear, to the point</dd>
      </div>
      <div>
        <dt>Energetic</dt>
        <dd className="text-ink-2">bright, quick</dd>
      </div>
    </dl>
  </StepFrame>
)
