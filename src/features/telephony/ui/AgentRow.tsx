import { useState, type MouseEvent, type ReactNode } from 'react'
import { agentWords } from '#agent/domain/agent-state.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { CopyButton } from '#platform/ui/CopyButton.tsx'
import { onDemand } from '#platform/ui/onDemand.tsx'
import { firstAction } from '#telephony/domain/agents/first-action.ts'
import { firstWeekSteps, type MyAgent } from '#telephony/domain/agents/my-agent.ts'
import { ForwardingTest } from './ForwardingTest.tsx'
import { isSettled } from './useMyAgent.ts'
import { badge, button, cell, gridRow } from '#platform/domain/variants.ts'
import { buttonRow, stack } from '#platform/domain/app-variants.ts'

const ForwardingHelp = onDemand(
  async () => (await import('./ForwardingHelp.tsx')).ForwardingHelp,
  <p>Loading</p>,
)

/** Returns whether a provider tells us when the number rings; nobody does if the agent was set up by hand. */
const isAtProvider = ({ agents }: MyAgent, number: string): boolean =>
  agents.some((each) => each.is_at_provider && each.numbers.some((own) => own.number === number))

interface Props {
  agent: MyAgent
  userId: string
  /** The status of the subscription. */
  status: string
  /** What happens to calls, if the minutes are used up. */
  atLimit: string | undefined
  /** Where the agent is taught and called. */
  teaching: { href: string; onClick: (event: MouseEvent<HTMLAnchorElement>) => void }
  /** Teaches the agent, and calls `onSettled` once that is done. */
  firstLesson: (onSettled: () => void) => ReactNode
  readAgain: () => void
}

/** The state of the customer's agent, its numbers, and what is to do in its first week. */
export function AgentRow({ agent, userId, status, atLimit, teaching, firstLesson, readAgain }: Props) {
  // The first lesson goes on after the first of its entries has been saved.
  const [isTeaching, setTeaching] = useState(firstAction(agent) === 'teach')
  const action = isTeaching ? 'teach' : firstAction(agent)
  const [helped, setHelped] = useState<string>()
  const { title, next } = agentWords({ state: agent.state, status, hasTaught: agent.has_taught, atLimit })
  const [first] = agent.numbers
  return (
    <div className={`${gridRow} not-first:border-t`} role="region" aria-label="Your agent">
      <div className={cell({ span: 8, class: stack })}>
        <p className="text-label text-ink-2 uppercase">Your agent</p>
        <h2 className="text-h3">{title}</h2>
        <p className="text-ink-2" role="status">
          {next}
        </p>
        {action === 'teach' && (
          <div className={`${stack} border-t pt-4`} data-lead>
            <h3>First, teach it from your website</h3>
            {firstLesson(() => {
              setTeaching(false)
              readAgain()
            })}
          </div>
        )}
        {agent.numbers.map(({ number, agent: name, last_ring_at: rang }) => (
          <div className={`${stack} border-t pt-4`} role="group" aria-label={number} key={number}>
            <p>
              <b className="text-h3">{number}</b>
              <span className="block text-sm text-ink-2">
                {name !== null && `${name}. `}
                {rang ? `Last call on ${dayLabel(rang)}` : 'Nobody has called it yet'}
              </span>
            </p>
            <div className={buttonRow}>
              <a
                className={button({ kind: action === 'ring' && number === first?.number ? 'main' : 'other' })}
                href={`tel:${number}`}
              >
                Ring it<span className="sr-only"> at {number}</span>
              </a>
              <CopyButton text={number} label={number} />
            </div>
            <Forwarding
              number={number}
              userId={userId}
              isOpen={helped === number || (action === 'forward' && number === first?.number)}
              isTestable={isAtProvider(agent, number)}
            />
          </div>
        ))}
      </div>
      {!isSettled(agent) && (
        <div className={cell({ class: stack })}>
          <h3 className="text-label text-ink-2 uppercase">First week</h3>
          <FirstWeek agent={agent} teaching={teaching} forward={first && (() => setHelped(first.number))} />
        </div>
      )}
    </div>
  )
}

interface ForwardingProps {
  number: string
  userId: string
  isOpen: boolean
  isTestable: boolean
}

/** How calls are sent to a number, and a test of it. */
function Forwarding({ number, userId, isOpen: opens, isTestable }: ForwardingProps) {
  const [isOpen, setOpen] = useState(opens)
  const [opened, setOpened] = useState(opens)
  if (opens !== opened) {
    setOpened(opens)
    if (opens) setOpen(true)
  }
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} data-forwarding>
      <summary className="min-h-11 content-center">Send your calls to it</summary>
      {isOpen && (
        <>
          <ForwardingHelp number={number} userId={userId} />
          {isTestable && <ForwardingTest number={number} />}
        </>
      )}
    </details>
  )
}

const step =
  'flex min-h-11 w-full items-center gap-3 py-1 text-left text-sm no-underline [&:is(a,button)]:hover:bg-panel'

const pressable = 'underline underline-offset-[0.22em]'

interface FirstWeekProps extends Pick<Props, 'agent' | 'teaching'> {
  /** Shows how calls are forwarded; absent without a number. */
  forward?: () => void
}

/** The first week's steps: each one a press that leads to it. */
const FirstWeek = ({ agent, teaching, forward }: FirstWeekProps) => (
  <ol className="*:border-t">
    {firstWeekSteps(agent).map(({ step: name, isDone }) => {
      const mark = (
        <span className={badge({ tone: isDone ? 'ok' : 'off', class: 'min-w-17' })}>
          {isDone ? 'Done' : 'To do'}
        </span>
      )
      if (name === 'teach' || name === 'test')
        return (
          <li key={name}>
            <a className={step} href={teaching.href} onClick={teaching.onClick}>
              {mark}{' '}
              <span className={pressable}>{name === 'teach' ? 'Teach your agent' : 'Make a test call'}</span>
            </a>
          </li>
        )
      if (name === 'forward')
        return (
          <li key={name}>
            <button className={step} type="button" disabled={!forward} onClick={forward}>
              {mark} <span className={forward && pressable}>Send your calls to it</span>
            </button>
          </li>
        )
      return (
        <li className={step} key={name}>
          {mark} {name === 'number' ? 'Get its number' : 'Its first call, in the list below'}
        </li>
      )
    })}
  </ol>
)
