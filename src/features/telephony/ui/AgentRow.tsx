import { useEffect, useState, type MouseEvent } from 'react'
import { useStore } from '@nanostores/react'
import { agentWords } from '#agent/domain/agent-state.ts'
import { readMinutes } from '#billing/browser/packages.ts'
import { atLimitWords } from '#billing/domain/minutes/at-limit.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { $myAgent, readMyAgent, updateMyAgent } from '#telephony/browser/my-agent.ts'
import { firstWeekSteps, type MyAgent } from '#telephony/domain/agents/my-agent.ts'
import { ForwardingHelp } from './ForwardingHelp.tsx'
import { ForwardingTest } from './ForwardingTest.tsx'
import { badge, cell, gridRow } from '#platform/domain/variants.ts'
import { stack } from '#platform/domain/app-variants.ts'

/** How often the state is read until the first call has come, in milliseconds. */
const interval = 10_000

/** Returns whether a provider tells us when the number rings; nobody does if the agent was set up by hand. */
const isAtProvider = ({ agents }: MyAgent, number: string): boolean =>
  agents.some((each) => each.is_at_provider && each.numbers.some((own) => own.number === number))

interface Props {
  /** The status of the subscription. */
  status: string
  /** Whether the minutes of the period are used up. */
  isUsedUp: boolean
  /** Where the agent is taught and called. */
  teaching: { href: string; onClick: (event: MouseEvent<HTMLAnchorElement>) => void }
}

/** The state of the customer's agent, its numbers, and what is to do in its first week. */
export function AgentRow({ status, isUsedUp, teaching }: Props) {
  const agent = useStore($myAgent)
  const isSettled = agent?.state === 'live' && agent.has_called
  useEffect(() => {
    const first = async (): Promise<void> => {
      if ((await readMyAgent())?.state === 'live') return
      await updateMyAgent()
      await readMyAgent()
    }
    void first()
  }, [])
  useEffect(() => {
    if (isSettled) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void readMyAgent()
    }, interval)
    return () => clearInterval(timer)
  }, [isSettled])
  const [atLimit, setAtLimit] = useState<string>()
  useEffect(() => {
    if (!isUsedUp) return
    void readMinutes().then((read) =>
      setAtLimit(read ? atLimitWords(read.at_limit) : 'Plan and billing says what happens to calls now.'),
    )
  }, [isUsedUp])
  if (!agent || (isUsedUp && atLimit === undefined)) return null

  const { title, next } = agentWords({
    state: agent.state,
    status,
    hasTaught: agent.has_taught,
    atLimit: isUsedUp ? atLimit : undefined,
  })
  const steps = firstWeekSteps(agent)
  return (
    <div className={`${gridRow} border-t`} role="region" aria-label="Your agent">
      <div className={cell({ span: 8, class: stack })}>
        <p className="text-label text-ink-2 uppercase">Your agent</p>
        <h2 className="text-h3">{title}</h2>
        <p className="text-ink-2" role="status">
          {next}
        </p>
        {agent.numbers.map(({ number, agent: name, last_ring_at: rang }) => (
          <div className={stack} role="group" aria-label={number} key={number}>
            <p>
              <b>{number}</b>
              <span className="text-sm text-ink-2">
                {' '}
                {name !== null && `${name}. `}
                {rang ? `Last call on ${dayLabel(rang)}` : 'Nobody has called it yet'}
              </span>
            </p>
            <details>
              <summary>Send your calls to it</summary>
              <ForwardingHelp number={number} />
              {isAtProvider(agent, number) && <ForwardingTest number={number} />}
            </details>
          </div>
        ))}
      </div>
      {!isSettled && (
        <div className={cell({ class: stack })}>
          <h3 className="text-label text-ink-2 uppercase">First week</h3>
          <ol className="grid grid-cols-[auto_1fr] gap-2 text-sm">
            {steps.map(({ step, isDone }) => (
              <li
                className="col-span-full grid grid-cols-subgrid items-baseline justify-items-start"
                key={step}
              >
                <span className={isDone ? badge({ tone: 'ok' }) : badge()}>{isDone ? 'Done' : 'To do'}</span>{' '}
                {(step === 'teach' || step === 'test') && (
                  <a href={teaching.href} onClick={teaching.onClick}>
                    {step === 'teach' ? 'Teach your agent' : 'Make a test call'}
                  </a>
                )}
                {step === 'number' && 'Get its number'}
                {step === 'forward' && 'Call the number, or send your calls to it'}
                {step === 'call' && 'Its first call, in the list below'}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}
