import { useId } from 'react'
import { planName, type PayablePlanId } from '#plans/domain/plans.ts'
import {
  isFull,
  limitsOf,
  numbersGoingOn,
  listStopping,
  type GoingOn,
  type HeldAgent,
} from '#telephony/domain/agents/going-on.ts'
import { fieldGrid, fieldLegend, problemLine } from '#platform/domain/app-variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'

interface Props {
  plan: PayablePlanId
  /** The day on which the plan begins. */
  day: string
  agents: readonly HeldAgent[]
  keeps: GoingOn
  onChange: (keeps: GoingOn) => void
}

/** Lets a customer choose which agents and numbers go on with a plan that has fewer, and says which stop. */
export function GoingOnChoice({ plan, day, agents, keeps, onChange }: Props) {
  const limits = limitsOf(plan)
  const own = agents.filter(({ account }) => keeps.agents.includes(account))
  const numbers = own.flatMap((each) => each.numbers.map(({ number }) => number))
  return (
    <>
      {limits.agents !== null && agents.length > limits.agents && (
        <Picks
          legend={limits.agents === 1 ? 'The agent that goes on' : `The ${limits.agents} agents that go on`}
          limit={limits.agents}
          options={agents.map(({ account, name, numbers: its }) => ({
            id: account,
            label: name,
            detail: its.map(({ number }) => number).join(', '),
          }))}
          picked={keeps.agents}
          onPick={(accounts) => {
            const chosen = agents.filter(({ account }) => accounts.includes(account))
            onChange({ agents: accounts, numbers: numbersGoingOn(chosen, plan, limits) })
          }}
        />
      )}
      {limits.lines !== null && numbers.length > limits.lines && (
        <Picks
          legend={limits.lines === 1 ? 'The number that goes on' : `The ${limits.lines} numbers that go on`}
          limit={limits.lines}
          options={numbers.map((number) => ({ id: number, label: number, detail: '' }))}
          picked={keeps.numbers}
          onPick={(picked) => onChange({ ...keeps, numbers: picked })}
        />
      )}
      {isFull(agents, keeps, limits) ? (
        <p className="text-sm text-ink-2">
          {planName(plan)} has no place for {listStopping(agents, keeps).join(' and ')}. From {day} on,
          callers there reach your fallback number. Without one, they hear that nobody can take the call.
        </p>
      ) : (
        <p className={problemLine} role="alert">
          Choose exactly as many as {planName(plan)} has.
        </p>
      )}
    </>
  )
}

interface PicksProps {
  legend: string
  limit: number
  options: readonly { id: string; label: string; detail: string }[]
  picked: readonly string[]
  onPick: (picked: readonly string[]) => void
}

/** So many of several: one of them by radio buttons, more by checkboxes. */
function Picks({ legend, limit, options, picked, onPick }: PicksProps) {
  const name = useId()
  const isPicked = (id: string): boolean => picked.includes(id)
  const pick = (id: string): void => {
    if (limit === 1) onPick([id])
    else onPick(isPicked(id) ? picked.filter((each) => each !== id) : [...picked, id])
  }
  return (
    <fieldset className={fieldGrid}>
      <legend className={fieldLegend}>{legend}</legend>
      <Choices>
        {options.map(({ id, label, detail }) => (
          <Choice
            key={id}
            type={limit === 1 ? 'radio' : 'checkbox'}
            name={name}
            checked={isPicked(id)}
            onChange={() => pick(id)}
            detail={detail}
          >
            <b>{label}</b>
          </Choice>
        ))}
      </Choices>
    </fieldset>
  )
}
