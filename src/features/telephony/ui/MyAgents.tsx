import { useRef, useState } from 'react'
import { Section } from '#agent/ui/FormSection.tsx'
import { TextInput } from '#agent/ui/TextInput.tsx'
import { askForAgent, askForLine, type Asked } from '#telephony/browser/my-agent.ts'
import { stateTexts, type MyAgent } from '#telephony/domain/my-agent.ts'

interface Props {
  agent: MyAgent
  business: string | null
  /** Makes what was asked for, and reads the agents again. */
  onAsked: () => Promise<void>
}

const problems = {
  at_limit: 'Your plan has no further one. A larger plan has more.',
  missing: 'Your agent has to be set up and paid for first.',
  failed: 'That was not saved. Check your connection and try again.',
} as const

/** The customer's agents and their phone numbers; asks for further ones up to the plan's limits. */
export function MyAgents({ agent: { agents, room }, business, onAsked }: Props) {
  const [name, setName] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<keyof typeof problems>()
  const [notice, setNotice] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const hasLine = room.lines === null || room.lines > 0
  const hasAgent = hasLine && (room.agents === null || room.agents > 0)

  async function ask(run: () => Promise<Asked | undefined>, done: string): Promise<void> {
    if (isAsking) return
    setAsking(true)
    setProblem(undefined)
    setNotice('Saving...')
    const outcome = await run()
    if (outcome === 'asked') {
      setName('')
      await onAsked()
      setNotice(done)
      // The pressed button may be gone.
      status.current?.focus({ preventScroll: true })
    } else {
      setNotice('')
      setProblem(outcome ?? 'failed')
    }
    setAsking(false)
  }

  return (
    <Section title="Numbers and agents">
      <ul className="blocked">
        {agents.map(({ account, name: own, state, numbers, lines }) => {
          const title = own ?? business ?? 'Your agent'
          return (
            <li key={account}>
              <span>
                <b>{title}</b> <span className="sm dim">{stateTexts[state].title}</span>
                <br />
                {numbers.join(', ')}
                {lines > numbers.length && (
                  <span className="dim">
                    {numbers.length > 0 ? ', and one more' : 'Its number'} is on its way
                  </span>
                )}
              </span>
              {hasLine && (
                <button
                  className="btn two small"
                  type="button"
                  aria-disabled={isAsking}
                  onClick={() =>
                    void ask(() => askForLine(account), `${title} gets another number within minutes.`)
                  }
                >
                  Add a number<span className="sr"> to {title}</span>
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {hasAgent && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim())
              void ask(() => askForAgent(name), `${name.trim()} gets its number within minutes.`)
          }}
        >
          <TextInput
            label="Name of a further agent"
            hint="It answers by this name, at a number of its own, from what you teach on this page."
            value={name}
            maxLength={80}
            placeholder="Second desk"
            onChange={setName}
          />
          <button className="btn two" type="submit" aria-disabled={isAsking || !name.trim()}>
            Add an agent
          </button>
        </form>
      )}
      <p className="sm dim" role="status" tabIndex={-1} ref={status}>
        {notice || (hasLine ? '' : 'You use all phone numbers of your plan. A larger plan has more.')}
      </p>
      {problem && (
        <p className="err" role="alert">
          {problems[problem]}
        </p>
      )}
    </Section>
  )
}
