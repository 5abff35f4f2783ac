import { useId, useRef, useState } from 'react'
import { businessNameMaxLength } from '#agent/domain/agent-settings.ts'
import { nameProblem } from '#platform/domain/text/typed-text.ts'
import { useKept } from '#platform/ui/fields/useKept.ts'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'
import { dayLabel } from '#platform/domain/text/dates.ts'
import {
  askForAgent,
  askForLine,
  giveBack,
  takeBack,
  type Asked,
  type Returned,
} from '#telephony/browser/my-agent.ts'
import { agentTitles } from '#agent/domain/agent-state.ts'
import type { MyAgent } from '#telephony/domain/agents/my-agent.ts'
import { buttonRow, formGrid, lineList, problemLine, stack } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'

interface Props {
  agent: MyAgent
  business: string | null
  /** Makes the agents what they are to be now, and reads them again. */
  onChange: () => Promise<void>
}

const problems = {
  at_limit: 'Your plan has no further one. A larger plan has more.',
  missing: 'That is no longer possible. Open this page again to see how your agents are.',
  last_number: 'An agent keeps one number.',
  failed: 'That was not saved. Check your connection and try again.',
} as const

/** The customer's agents and their phone numbers; asks for further ones up to the plan's limits, and gives them back. */
export function MyAgents({ agent: { agents, room }, business, onChange }: Props) {
  const id = useId()
  const [name, setName] = useKept(`${agents[0]?.account}:further_agent`, '')
  const nameIsWrong = nameProblem(name, businessNameMaxLength)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<keyof typeof problems>()
  const [notice, setNotice] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const hasLine = room.lines === null || room.lines > 0
  const hasAgent = hasLine && (room.agents === null || room.agents > 0)

  async function ask(run: () => Promise<Asked | Returned | undefined>, done: string): Promise<void> {
    if (isAsking) return
    setAsking(true)
    setProblem(undefined)
    setNotice('Saving...')
    const outcome = await run()
    if (outcome === 'asked' || outcome === 'saved') {
      setName('')
      await onChange()
      setNotice(done)
      // The pressed button may be gone.
      status.current?.focus({ preventScroll: true })
    } else {
      setNotice('')
      setProblem(outcome ?? 'failed')
    }
    setAsking(false)
  }

  const asking = (
    label: string,
    of: string,
    run: () => Promise<Asked | Returned | undefined>,
    done: string,
  ) => (
    <button
      className={button({ kind: 'other', size: 'small' })}
      type="button"
      aria-disabled={isAsking}
      onClick={() => void ask(run, done)}
    >
      {label}
      <span className="sr-only"> {of}</span>
    </button>
  )

  return (
    <div className={formGrid} role="group" aria-labelledby={id}>
      <h3 className="text-h4" id={id}>
        Numbers and agents
      </h3>
      <ul className={`${lineList} border-t`}>
        {agents.map((each) => {
          const { account, name: own, state, numbers, lines, kept_until: keptUntil } = each
          const title = own ?? business ?? 'Your agent'
          const isKept = keptUntil !== null
          const used = numbers.filter(({ kept_until }) => kept_until === null)
          return (
            <li key={account}>
              <span>
                <b>{title}</b>{' '}
                <span className="text-sm text-ink-2">
                  {isKept
                    ? `You gave it back. It answers no calls, and is kept until ${dayLabel(keptUntil)}.`
                    : agentTitles[state]}
                </span>
              </span>
              <span className={buttonRow}>
                {isKept
                  ? asking('Take back', title, () => takeBack(account), `${title} is yours again.`)
                  : hasLine &&
                    state !== 'stopped' &&
                    asking(
                      'Add a number',
                      `to ${title}`,
                      () => askForLine(account),
                      `${title} gets another number within minutes.`,
                    )}
                {!isKept &&
                  own !== null &&
                  asking('Give back', title, () => giveBack(account), `${title} answers no more calls.`)}
              </span>
              {numbers.length > 0 && (
                <ul className={`${lineList} basis-full pl-4 [&>:last-child]:border-b-0`}>
                  {numbers.map(({ number, kept_until: until, is_in_plan: isInPlan }) => (
                    <li key={number}>
                      <span>
                        {number}{' '}
                        {until === null && !isInPlan && state !== 'stopped' && (
                          <span className="text-sm text-ink-2">
                            Your plan has no line for it. It answers no calls.
                          </span>
                        )}
                        {until !== null && (
                          <span className="text-sm text-ink-2">
                            You gave it back. It answers no calls, and is kept until {dayLabel(until)}.
                          </span>
                        )}
                      </span>
                      {!isKept &&
                        (until !== null
                          ? asking(
                              'Take back',
                              number,
                              () => takeBack(account, number),
                              `${number} is yours again.`,
                            )
                          : used.length > 1 &&
                            asking(
                              'Give back',
                              number,
                              () => giveBack(account, number),
                              `Nobody is answered at ${number} any more.`,
                            ))}
                    </li>
                  ))}
                </ul>
              )}
              {!isKept && state !== 'stopped' && lines > numbers.length && (
                <p className="basis-full text-sm text-ink-2">
                  {numbers.length > 0 ? 'One more number' : 'Its number'} is on its way.
                </p>
              )}
            </li>
          )
        })}
      </ul>
      {hasAgent && (
        <form
          className={stack}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() && !nameIsWrong)
              void ask(() => askForAgent(name), `${name.trim()} gets its number within minutes.`)
          }}
        >
          <TextInput
            label="Name of a further agent"
            hint="It answers by this name, at a number of its own, from what you teach on this page."
            value={name}
            longest={businessNameMaxLength}
            problem={nameIsWrong}
            placeholder="Second desk"
            onChange={setName}
          />
          <button
            className={button({ kind: 'other' })}
            type="submit"
            aria-disabled={isAsking || !name.trim()}
          >
            Add an agent
          </button>
        </form>
      )}
      <p className="text-sm text-ink-2" role="status" tabIndex={-1} ref={status}>
        {notice || (hasLine ? '' : 'You use all phone numbers of your plan. A larger plan has more.')}
      </p>
      {problem && (
        <p className={problemLine} role="alert">
          {problems[problem]}
        </p>
      )}
    </div>
  )
}
