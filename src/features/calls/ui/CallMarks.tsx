import { useRef, useState } from 'react'
import type { CallMark, ListedCall, MarkedCall } from '#calls/domain/calls.ts'
import { buttonRow } from '#platform/domain/app-variants.ts'
import { ActionButton } from '#platform/ui/ActionButton.tsx'
import { Problem } from '#platform/ui/Problem.tsx'

export interface MarkActions {
  /** Marks a call; null if it is marked already, undefined if that failed. */
  mark: (id: string, mark: CallMark) => Promise<MarkedCall | null | undefined>
  /** Takes a mark back. Returns the minutes that the call costs again; null if it has none, undefined if that failed. */
  unmark: (id: string) => Promise<number | null | undefined>
  /** Returns what blocks a caller, or null if the number cannot be blocked. */
  block: (number: string) => (() => Promise<boolean>) | null
}

export interface CallRowActions extends MarkActions {
  /** Returns a URL under which a recording can be heard. */
  recordingUrl: (path: string) => Promise<string | undefined>
  /** Loads what writes a number in E.164 as people do. */
  formatNumber: () => Promise<(number: string) => string>
}

interface Props {
  call: ListedCall
  actions: MarkActions
}

type State =
  | { status: 'idle' | 'working' | 'failed' | 'blocked' }
  | { status: 'marked'; as: CallMark; result: MarkedCall | null }
  | { status: 'unmarked'; minutes: number | null }

/** Marks a call as spam or as a test, which credits its minutes, takes that back, and blocks the caller of spam on request. */
export function CallMarks({ call, actions }: Props) {
  const [state, setState] = useState<State>({ status: 'idle' })
  const status = useRef<HTMLParagraphElement>(null)
  const block = call.phone_number === null ? null : actions.block(call.phone_number)
  const isWorking = state.status === 'working'

  /** Runs an action whose button goes if it succeeds. */
  async function run(action: () => Promise<State | undefined>): Promise<void> {
    if (isWorking) return
    setState({ status: 'working' })
    const next = await action()
    setState(next ?? { status: 'failed' })
    if (next) status.current?.focus({ preventScroll: true })
  }
  const mark = (as: CallMark) =>
    run(async () => {
      const result = await actions.mark(call.id, as)
      return result === undefined ? undefined : { status: 'marked', as, result }
    })

  const unmark = () =>
    run(async () => {
      const minutes = await actions.unmark(call.id)
      return minutes === undefined ? undefined : { status: 'unmarked', minutes }
    })

  return (
    <div className={buttonRow}>
      {call.kind !== 'call' && call.is_marked && (
        <ActionButton isWorking={isWorking} onPress={() => void unmark()}>
          {call.kind === 'spam' ? 'Not spam' : 'Not a test'}
        </ActionButton>
      )}
      {call.kind === 'call' && state.status !== 'marked' && (
        <>
          <ActionButton isWorking={isWorking} onPress={() => void mark('spam')}>
            Spam
          </ActionButton>
          <ActionButton isWorking={isWorking} onPress={() => void mark('test')}>
            Test
          </ActionButton>
        </>
      )}
      {call.kind === 'spam' && block && state.status !== 'blocked' && (
        <ActionButton
          isWorking={isWorking}
          onPress={() => void run(async () => ((await block()) ? { status: 'blocked' } : undefined))}
        >
          Block {call.phone_number}
        </ActionButton>
      )}
      <p className="text-sm text-ink-2" role="status" tabIndex={-1} ref={status}>
        {state.status === 'marked'
          ? markedText(state.as, state.result)
          : state.status === 'blocked'
            ? 'Blocked. Your agent does not answer this number any more.'
            : state.status === 'unmarked'
              ? unmarkedText(state.minutes)
              : call.kind === 'call'
                ? 'Marks the call, and credits its minutes.'
                : ''}
      </p>
      <Problem>
        {state.status === 'failed' && 'That did not work. Check your connection, then try again.'}
      </Problem>
    </div>
  )
}

function unmarkedText(minutes: number | null): string {
  if (minutes === null) return 'This call is not marked any more.'
  return minutes === 0
    ? 'The mark is taken back.'
    : `The mark is taken back. ${minutes} ${minutes === 1 ? 'minute is' : 'minutes are'} counted again.`
}

function markedText(as: CallMark, result: MarkedCall | null): string {
  const marked = as === 'spam' ? 'Marked as spam.' : 'Marked as a test.'
  if (!result) return 'This call was marked before.'
  const { credited, left } = result
  if (credited > 0) return `${marked} ${credited} ${credited === 1 ? 'minute' : 'minutes'} credited.`
  return left === 0
    ? `${marked} Nothing is credited: a tenth of your plan’s minutes has been, which is the most in a period.`
    : `${marked} Nothing is credited for a call of an earlier period.`
}
