import { turnsOfCall } from '#calls/domain/calls.ts'

/** What was said in a call. */
export const CallTranscript = ({ about, transcript }: { about: string; transcript: string }) => (
  <ol className="mt-2 grid max-w-184 gap-2 border-t py-2 pt-4" aria-label={`What was said: ${about}`}>
    {turnsOfCall(transcript).map((turn, index) => (
      <li className="grid grid-cols-[4rem_minmax(0,1fr)] items-baseline wrap-anywhere" key={index}>
        <b className="text-label text-ink-2 uppercase">{'speaker' in turn && turn.speaker}</b>
        <span>{turn.words}</span>
      </li>
    ))}
  </ol>
)
