import { useEffect, useRef, useState } from 'react'
import { awaitRing } from '#telephony/browser/my-agent.ts'
import { button } from '#platform/domain/variants.ts'
import { stack } from '#platform/domain/app-variants.ts'

type State = 'idle' | 'waiting' | 'called' | 'silent'

const texts: Record<State, string> = {
  idle: 'Start the test, then call your own number from another phone. You see here whether the call arrives.',
  waiting: 'Call your number now. We are waiting for the call, for two minutes at most.',
  called: 'It works: the call has arrived at your agent.',
  silent:
    'No call has arrived. Check the code that you dialed, or ask your carrier whether your line may forward calls.',
}

/** Lets a customer test whether calls to the own number arrive at the number of the agent. */
export function ForwardingTest({ number }: { number: string }) {
  const [state, setState] = useState<State>('idle')
  const waiting = useRef<AbortController>(undefined)
  const cancel = (): void => waiting.current?.abort()
  useEffect(() => cancel, [])
  async function start(): Promise<void> {
    waiting.current = new AbortController()
    const { signal } = waiting.current
    setState('waiting')
    const isCalled = await awaitRing(number, signal)
    setState(isCalled ? 'called' : signal.aborted ? 'idle' : 'silent')
  }
  return (
    <div className={`${stack} mt-3`} role="group" aria-label="Test of your forwarding">
      <p className="text-sm" role="status">
        {texts[state]}
      </p>
      <p>
        <button
          className={button({ kind: 'other', size: 'small' })}
          type="button"
          onClick={state === 'waiting' ? cancel : () => void start()}
        >
          {state === 'waiting' ? 'Cancel' : 'Test your forwarding'}
        </button>
      </p>
    </div>
  )
}
