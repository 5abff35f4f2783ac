import { useEffect, useRef, useState } from 'react'
import { useStore } from '@nanostores/react'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { createTestCall } from '#telephony/browser/test-call.ts'
import { secondsOf, type TestCall as State } from '#telephony/domain/test-call.ts'
import { longestTest } from '#telephony/domain/voice-line.ts'
import { buttonRow, problemLine, stack } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'

let attempts = 0

interface Props {
  /** The agents that can be called: what each is called by, and its name. */
  agents: readonly (readonly [account: string, name: string])[]
}

/** Calls an agent of the customer at the voice provider from the browser, as a caller would hear it. */
export function TestCall({ agents }: Props) {
  const [flow] = useState(createTestCall)
  const [chosen, setChosen] = useState('')
  const agent = agents.find(([account]) => account === chosen)?.[0] ?? agents[0]?.[0]
  const state = useStore(flow.state)
  const hangUp = (): void => flow.send({ type: 'hangUpPressed', at: Date.now() })
  // Without this part of the page nobody could hang up.
  useEffect(() => () => flow.send({ type: 'hangUpPressed', at: Date.now() }), [flow])
  const isCalling = state.status !== 'idle' && state.status !== 'ended'
  if (agent === undefined) return null
  return (
    <div className={stack}>
      {agents.length > 1 && (
        <SelectInput
          label="Agent to call"
          value={agent}
          options={agents}
          onChange={setChosen}
          disabled={isCalling}
        />
      )}
      <p className={buttonRow}>
        {/* Stays the same element, so that it keeps the focus. */}
        <button
          className={button({ kind: 'other' })}
          type="button"
          onClick={isCalling ? hangUp : () => flow.send({ type: 'callPressed', attempt: ++attempts, agent })}
        >
          {state.status === 'talking' ? 'Hang up' : isCalling ? 'Cancel' : 'Call your agent'}
        </button>
        {state.status === 'talking' && <Timer since={state.since} />}
      </p>
      <p className="text-sm text-ink-2" role="status">
        {stateText(state)}
      </p>
      {state.status === 'idle' && state.problem && (
        <p className={problemLine} role="alert">
          {state.problem}
        </p>
      )}
    </div>
  )
}

function stateText(state: State): string {
  switch (state.status) {
    case 'idle':
      return state.problem
        ? ''
        : `A real call from this browser, ${longestTest / 60} minutes at most. It costs no minutes.`
    case 'requestingMicrophone':
      return 'Your browser asks for the microphone. Allow it to call.'
    case 'connecting':
      return 'Connecting...'
    case 'talking':
      return 'You are talking to your agent.'
    case 'ended':
      return `The call has ended after ${durationLabel(state.seconds)}. It appears in your calls as a test.`
  }
}

/** The length of the call so far. A screen reader does not read every second. */
function Timer({ since }: { since: number }) {
  const text = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const show = (): void => {
      if (text.current) text.current.textContent = durationLabel(secondsOf(since, Date.now()))
    }
    show()
    const timer = setInterval(show, 1_000)
    return () => clearInterval(timer)
  }, [since])
  return <span role="timer" aria-label="Length of the call" ref={text} />
}
