import { useEffect, useState } from 'react'
import {
  giveNumber,
  readAgent,
  readFreeNumbers,
  retryAgent,
  setAgentLive,
  setAgentRemoved,
  takeNumber,
  type ChosenAgent,
} from '#admin/browser/agents.ts'
import { agentStateTexts, choicesOf, lineLimit, linesLabel, removeByHand } from '#admin/domain/agents.ts'
import { downloadVoiceSample } from '#agent/browser/voice/voice-sample-files.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { usePlayback } from '#agent/ui/voice/usePlayback.ts'
import { dayLabel, momentLabel } from '#platform/domain/text/dates.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { PlayButton } from '#platform/ui/PlayButton.tsx'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { RowAction } from '#admin/ui/lists/RowAction.tsx'
import { AddNumbers } from './PhoneNumbers.tsx'
import { problemLine, skeleton } from '#platform/domain/app-variants.ts'
import { badge } from '#platform/domain/variants.ts'
import { Fact, Facts, More } from '#admin/ui/lists/Facts.tsx'
import { NoAnswer } from '#admin/ui/lists/NoAnswer.tsx'
import { twoColumns } from '#admin/ui/lists/variants.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

interface Props {
  account: string
  /** Whose agent it is, for screen readers. */
  name: string
  /** The details are read again when this changes. */
  version: unknown
  /** Returns the page of the account, where that is another page. */
  accountPath?: (user: string) => string
  onChange: () => void
}

type Loaded =
  { status: 'loading' } | { status: 'failed' } | { status: 'none' } | { status: 'ready'; agent: ChosenAgent }

/** What a customer chose for the agent, its numbers, and what the admin can do about it. */
export function AgentDetails({ account, name, version, accountPath, onChange }: Props) {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [tries, setTries] = useState(0)
  useEffect(
    () =>
      takeAnswer(readAgent(account), (agent) => {
        if (agent) setLoaded({ status: 'ready', agent })
        else setLoaded({ status: agent === null ? 'none' : 'failed' })
      }),
    [account, version, tries],
  )

  if (loaded.status === 'loading')
    return <div className={skeleton({ size: 'long' })} role="status" aria-label="Loading" />
  if (loaded.status === 'none') return <p className="text-sm text-ink-2">There is no agent.</p>
  if (loaded.status === 'failed')
    return <NoAnswer of={`the agent of ${name}`} onRetry={() => setTries(tries + 1)} />
  return <Details agent={loaded.agent} name={name} accountPath={accountPath} onChange={onChange} />
}

function Details({
  agent,
  name,
  accountPath,
  onChange,
}: { agent: ChosenAgent } & Pick<Props, 'name' | 'accountPath' | 'onChange'>) {
  const { account, state, error, by_hand: byHand, is_gone: isGone } = agent
  const isToRemove = state === 'leaving' && byHand
  const material = {
    ...agent,
    isRecorded: agent.record_calls,
    ownNumber: agent.own_number,
    fallbackNumber: agent.fallback_number,
  }
  const { greeting, prompt } = agentPrompt(material)
  const action = (label: string, run: () => Promise<Result<unknown, Failure>>) => (
    <RowAction
      name={label}
      busy={label === 'Retry' ? 'Asking...' : 'Saving...'}
      done="Done."
      target={`for ${name}`}
      action={run}
      onDone={onChange}
    />
  )
  return (
    <div className={`${twoColumns} py-2`}>
      <div className="grid content-start gap-4">
        <p className="text-sm">
          {!accountPath && (
            <>
              <span className={badge({ tone: agentStateTexts[state].tone })}>
                {agentStateTexts[state].name}
              </span>{' '}
            </>
          )}
          {isToRemove ? removeByHand : agentStateTexts[state].next}
        </p>
        {error !== null && (
          <p className={`${problemLine} wrap-anywhere`}>
            {error}
            {agent.next_try_at !== null &&
              ` (tried ${agent.tries} ${agent.tries === 1 ? 'time' : 'times'}, next at ${momentLabel(agent.next_try_at)})`}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-3 empty:-mt-4">
          {error !== null && action('Retry', () => retryAgent(account))}
          {state === 'waiting' && action('Mark as live', () => setAgentLive(agent))}
          {isToRemove && action('Mark as removed', () => setAgentRemoved(account))}
        </div>
        {!isGone && <Lines agent={agent} name={name} onChange={onChange} />}
        <Facts>
          <Fact term="Set up">
            {byHand ? 'By hand' : agent.is_at_provider ? 'At Vapi' : 'Not yet'}
            {agent.live_at !== null && `, last on ${momentLabel(agent.live_at)}`}
          </Fact>
          {accountPath && agent.user_id !== null && (
            <Fact term="Account">
              <a href={accountPath(agent.user_id)} onClick={followInPage(accountPath(agent.user_id))}>
                Plan, payments and emails
              </a>
            </Fact>
          )}
        </Facts>
      </div>
      {!isGone && (
        <div>
          <Facts>
            <Fact term="Voice">
              {agent.sample ? <Sample sample={agent.sample} name={name} /> : 'A standard voice'}
            </Fact>
            {choicesOf(material).map(([term, text]) => (
              <Fact key={term} term={term}>
                {text}
              </Fact>
            ))}
          </Facts>
          <More name="First words and prompt" label={`First words and prompt of ${name}`}>
            <pre className="font-text text-sm wrap-anywhere whitespace-pre-wrap">{`${greeting}\n\n${prompt}`}</pre>
          </More>
        </div>
      )}
    </div>
  )
}

function Sample({ sample, name }: { sample: NonNullable<ChosenAgent['sample']>; name: string }) {
  const { player, toggle } = usePlayback(() => downloadVoiceSample(sample.path))
  return (
    <>
      <span className="flex flex-wrap items-center gap-1.5">
        <PlayButton
          name={`the voice of ${name}`}
          isPlaying={player.status === 'playing'}
          disabled={player.status === 'loading'}
          onClick={toggle}
        />
        {sample.name ?? 'Recording'}
      </span>
      {player.status === 'failed' && (
        <span className={problemLine} role="alert">
          The recording could not be loaded.
        </span>
      )}
    </>
  )
}

/** The agent's numbers, and the free ones that it can get. */
function Lines({ agent, name, onChange }: { agent: ChosenAgent } & Pick<Props, 'name' | 'onChange'>) {
  const { account, numbers, plan, is_at_provider: isAtProvider } = agent
  const [free, setFree] = useState<readonly string[] | undefined>([])
  const [chosen, setChosen] = useState('')
  const limit = plan === null ? null : lineLimit(plan)
  const hasRoom = limit === null || numbers.length < limit
  useEffect(() => takeAnswer(readFreeNumbers(isAtProvider), setFree), [isAtProvider, numbers])
  const number = free?.includes(chosen) ? chosen : (free?.[0] ?? '')
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        <b>Lines</b> <span className="text-ink-2">{linesLabel(plan, numbers.length)}</span>
        {agent.lines > numbers.length && ` The customer has asked for ${agent.lines}.`}
      </p>
      {numbers.length > 0 && (
        <ul className="text-sm">
          {numbers.map((each) => (
            <li
              className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-0.5 py-2 not-first:border-t"
              key={each.number}
            >
              {each.number}
              {each.kept_until !== null &&
                ` The customer gave it back; keep it until ${dayLabel(each.kept_until)}.`}
              {!isAtProvider && (
                <RowAction
                  name="Take back"
                  busy="Saving..."
                  done="Done."
                  target={each.number}
                  action={() => takeNumber(account, each.number)}
                  onDone={onChange}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!hasRoom ? (
        <p className="text-sm text-ink-2">The plan has no further line.</p>
      ) : number === '' ? (
        <>
          <p className="text-sm text-ink-2">No number is free.</p>
          <AddNumbers id={`new-numbers-${account}`} onChange={onChange} />
        </>
      ) : (
        <div className="grid grid-cols-[1fr_auto] items-end gap-x-3 gap-y-0.5">
          <SelectInput
            label="Free numbers"
            value={number}
            options={(free ?? []).map((each) => [each, each] as const)}
            onChange={setChosen}
          />
          <RowAction
            name="Give"
            busy="Saving..."
            done="Given."
            target={`the number to ${name}`}
            action={() => giveNumber(account, number)}
            onDone={onChange}
          />
        </div>
      )}
    </div>
  )
}
