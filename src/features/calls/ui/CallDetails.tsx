import type { ListedCall } from '#calls/domain/calls.ts'
import { CallMarks, type CallRowActions } from './CallMarks.tsx'
import { CallRecording } from './CallRecording.tsx'
import { refreshCalls } from '#calls/browser/calls-store.ts'
import { CallTranscript } from './CallTranscript.tsx'
import { ForgetCaller } from './ForgetCaller.tsx'

interface Props {
  call: ListedCall
  about: string
  actions: CallRowActions
}

/** A call's recording, what can be done with it, and what was said. */
export const CallDetails = ({ call, about, actions }: Props) => (
  <>
    <div className="grid max-w-184 gap-3 py-2">
      {call.recording !== null && (
        <CallRecording about={about} load={() => actions.recordingUrl(call.recording ?? '')} />
      )}
      <CallMarks call={call} actions={actions} />
      <ForgetCaller id={call.id} about={about} onForgotten={() => void refreshCalls()} />
    </div>
    {call.transcript !== null && <CallTranscript about={about} transcript={call.transcript} />}
  </>
)
