import { useEffect, useId, useRef } from 'react'
import { useStore } from '@nanostores/react'
import { consentTexts, currentConsent } from '#agent/domain/voice/voice-consent.ts'
import { isBusy, type VoiceUploadStore } from '#agent/browser/voice/voice-upload.ts'
import { fieldGrid, problemLine } from '#platform/domain/app-variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'

/** Asks for the consent of the speaker, without which nothing is uploaded. A file that waits for it gets the focus here. */
export function SpeakerConsent({ upload }: { upload: VoiceUploadStore }) {
  const state = useStore(upload.state)
  const isAgreed = useStore(upload.isAgreed)
  const problem = useId()
  const box = useRef<HTMLInputElement>(null)
  const isAwaited = state.status === 'unconfirmed'
  useEffect(() => {
    if (isAwaited) box.current?.focus()
  }, [isAwaited])
  if (state.status === 'stored' || state.status === 'removing') return null
  return (
    <div className={fieldGrid}>
      <Choices>
        <Choice
          ref={box}
          type="checkbox"
          checked={isAgreed}
          aria-invalid={isAwaited}
          aria-describedby={isAwaited ? problem : undefined}
          // A disabled input would lose the focus.
          aria-disabled={isBusy(state)}
          onChange={({ target }) => {
            if (!isBusy(state)) upload.agree(target.checked)
          }}
        >
          <span className="text-sm">{consentTexts[currentConsent]}</span>
        </Choice>
      </Choices>
      {state.status === 'unconfirmed' && (
        <p className={problemLine} id={problem} role="alert">
          Tick this box, and “{state.chosen.name}” is uploaded. It is kept here until then.
        </p>
      )}
    </div>
  )
}
