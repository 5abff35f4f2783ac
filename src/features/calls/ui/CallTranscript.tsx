import { turnsOfCall } from '#calls/domain/calls.ts'
import { saysThatItDoesNotKnow } from '#calls/domain/does-not-know.ts'
import { questionIn, teachPath } from '#calls/domain/question.ts'
import { textButton } from '#platform/domain/variants.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'

/** What was said in a call. An answer that the agent did not know, or to what a caller asked, leads to where it is taught. */
export function CallTranscript({ about, transcript }: { about: string; transcript: string }) {
  const turns = turnsOfCall(transcript)
  const taughtBy = (index: number): string | null => {
    const [asked, answer] = [turns[index - 1], turns[index]!]
    if (!asked || !('speaker' in asked && 'speaker' in answer)) return null
    if (asked.speaker !== 'Caller' || answer.speaker !== 'Agent') return null
    return asked.words.includes('?') || saysThatItDoesNotKnow(answer.words) ? questionIn(asked.words) : null
  }
  return (
    <ol className="mt-2 grid max-w-184 gap-2 border-t py-2 pt-4" aria-label={`What was said: ${about}`}>
      {turns.map((turn, index) => {
        const question = taughtBy(index)
        return (
          <li className="grid grid-cols-[4rem_minmax(0,1fr)] items-baseline wrap-anywhere" key={index}>
            <b className="text-label text-ink-2 uppercase">{'speaker' in turn && turn.speaker}</b>
            <span>
              {turn.words}{' '}
              {question !== null && (
                <a
                  className={textButton({ size: 'small', class: 'text-sm whitespace-nowrap' })}
                  href={teachPath(question)}
                  aria-label={`Teach this answer: ${question}`}
                  onClick={followInPage(teachPath(question))}
                >
                  Teach this answer
                </a>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
