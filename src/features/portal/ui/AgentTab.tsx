import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { saveKnowledge, readKnowledge } from '#agent/browser/knowledge.ts'
import { tryOut } from '#agent/browser/try-out.ts'
import { saveAgentSettings } from '#agent/browser/agent-settings.ts'
import { $agentSettings, loadAgentSettings, noteAgentSettings } from '#agent/browser/agent-settings-store.ts'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { Known } from '#agent/domain/import.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge.ts'
import type { StoredKnowledge, TeachingState } from '#agent/domain/teaching.ts'
import { Section } from '#agent/ui/FormSection.tsx'
import { ImportPanel } from '#agent/ui/ImportPanel.tsx'
import { KnowledgeForm } from '#agent/ui/KnowledgeForm.tsx'
import { createTeachingFlow } from '#agent/ui/teaching-flow.ts'
import { UnansweredQuestions } from '#agent/ui/UnansweredQuestions.tsx'
import { warnBeforeUnload } from '#platform/browser/navigation.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { languageLimit } from '#plans/domain/plans.ts'
import { readMyAgent, updateMyAgent } from '#telephony/browser/my-agent.ts'
import type { MyAgent } from '#telephony/domain/my-agent.ts'
import { $callSettings, loadCallSettings } from '#telephony/browser/call-settings-store.ts'
import { CallSettings, UnsavedCallSettings } from '#telephony/ui/CallSettings.tsx'
import { MyAgents } from '#telephony/ui/MyAgents.tsx'
import { TestCall } from '#telephony/ui/TestCall.tsx'

/** How often the agent's state is read while a change is on its way to it, in milliseconds. */
const readAgainMs = 3_000

type Loaded = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; stored: StoredKnowledge }

/** Shows what the agent knows, and saves each change by itself. */
export function AgentTab({ userId, plan }: { userId: string; plan: string }) {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [tries, setTries] = useState(1)
  const settings = useStore($agentSettings)
  const calls = useStore($callSettings)
  useEffect(() => {
    void loadAgentSettings(userId)
    void loadCallSettings(userId)
    void readKnowledge(userId).then((stored) =>
      setLoaded(stored ? { status: 'ready', stored } : { status: 'failed' }),
    )
  }, [userId, tries])
  // The fields begin with what is stored: an empty one would be saved in its place.
  const isReady =
    settings.status === 'ready' &&
    settings.userId === userId &&
    calls.status === 'ready' &&
    calls.userId === userId
  if (loaded.status === 'ready' && isReady)
    return <Teaching userId={userId} plan={plan} stored={loaded.stored} settings={settings.settings} />
  return (
    <Waiting
      failed={[loaded, settings, calls].some(({ status }) => status === 'failed')}
      onRetry={() => setTries(tries + 1)}
    />
  )
}

interface TeachingProps {
  userId: string
  plan: string
  stored: StoredKnowledge
  settings: AgentSettingsRow
}

function Teaching({ userId, plan, stored, settings }: TeachingProps) {
  const [agent, setAgent] = useState<MyAgent | null>(null)
  const [isPublished, setPublished] = useState(false)
  useEffect(() => void readMyAgent().then((read) => setAgent(read ?? null)), [])
  // What could not be told to the provider at once is told by the schedule.
  useEffect(() => {
    if (agent?.state !== 'changing') return
    const timer = setTimeout(
      () => void readMyAgent().then((read) => setAgent(read ?? { ...agent })),
      readAgainMs,
    )
    return () => clearTimeout(timer)
  }, [agent])
  const [flow] = useState(() =>
    createTeachingFlow(stored, {
      save: (knowledge, version) => saveKnowledge(userId, knowledge, version),
      publish: async () => {
        await updateMyAgent()
        setAgent((await readMyAgent()) ?? null)
        setPublished(true)
      },
    }),
  )
  const callable = agent?.agents.filter((each) => each.is_at_provider && each.state !== 'stopped') ?? []
  const state = useStore(flow.state)
  const calls = useStore($callSettings)
  const agentNumbers = agent?.numbers.map(({ number }) => number) ?? []
  const isRecorded = calls.status === 'ready' && calls.settings.record_calls

  const edit = (changes: Partial<AgentKnowledge>): void =>
    flow.send({ type: 'edited', draft: { ...state.draft, ...changes } })

  const takeOver = ({ business, knowledge }: Known): void => {
    flow.send({ type: 'edited', draft: knowledge })
    if (business === settings.business_name) return
    noteAgentSettings({ business_name: business })
    void saveAgentSettings(userId, { business_name: business }).then((isSaved) => {
      // The entry is proposed again.
      if (!isSaved) noteAgentSettings({ business_name: settings.business_name })
    })
  }

  const isSaved =
    state.status === 'saved' &&
    calls.status === 'ready' &&
    calls.saving !== 'saving' &&
    calls.saving !== 'failed'
  useEffect(() => {
    if (isSaved) return
    warnBeforeUnload(true)
    return () => warnBeforeUnload(false)
  }, [isSaved])
  // Another tab of the portal replaces this one.
  useEffect(() => () => flow.send({ type: 'saveDue' }), [flow])

  return (
    <>
      <section>
        <div className="frame row">
          <div className="c8 tall stack">
            <h1 className="mid">Agent</h1>
            <p className="lead dim">What your agent knows when it answers your phone.</p>
          </div>
          <div className="tall stack">
            <h2 className="label">Try it</h2>
            <p className="dim">Ask it what your callers ask. This costs no minutes.</p>
            <button className="btn two" type="button" onClick={() => tryOut(settings, state.draft)}>
              Start AI Conversation
            </button>
            {callable.length > 0 && (
              <TestCall
                agents={callable.map(({ account, name }) => [
                  account,
                  name ?? settings.business_name ?? 'Your agent',
                ])}
              />
            )}
          </div>
        </div>
      </section>
      <UnansweredQuestions knowledge={state.draft} onChange={edit} />
      <Section title="Import">
        <ImportPanel
          known={{ business: settings.business_name, knowledge: state.draft }}
          onTakeOver={takeOver}
        />
      </Section>
      <KnowledgeForm
        knowledge={state.draft}
        languages={languageLimit(plan)}
        business={settings.business_name}
        greeting={settings.greeting}
        isRecorded={isRecorded}
        loops={[calls.status === 'ready' ? calls.settings.own_number : null, ...agentNumbers]}
        onChange={edit}
      />
      {agent && agent.agents.length > 0 && (
        <MyAgents
          agent={agent}
          business={settings.business_name}
          onChange={async () => {
            await updateMyAgent()
            setAgent((await readMyAgent()) ?? null)
          }}
        />
      )}
      <CallSettings agents={agentNumbers} transfer={state.draft.transfer.number} />
      <div className="saving">
        <div className="frame">
          <p className="sm" role="status">
            {calls.status === 'ready' ? statusText(state, isPublished ? agent : null, calls.saving) : ''}
          </p>
          {state.status === 'failed' && (
            <div className="acts" role="alert">
              <p className="err">Not saved. Check your connection.</p>
              <button className="text sm" type="button" onClick={() => flow.send({ type: 'saveDue' })}>
                Try again
              </button>
            </div>
          )}
          <UnsavedCallSettings />
          {state.status === 'overtaken' && (
            <div className="acts" role="alert">
              <p className="err">This was changed in another tab or on another device.</p>
              <button
                className="btn two small"
                type="button"
                onClick={() => flow.send({ type: 'mineChosen' })}
              >
                Keep what is on this page
              </button>
              <button
                className="btn two small"
                type="button"
                onClick={() => flow.send({ type: 'theirsChosen' })}
              >
                Take the other version
              </button>
            </div>
          )}
        </div>
      </div>
    </>
  )
}

function statusText(
  { status, version }: TeachingState,
  agent: MyAgent | null,
  calls: 'idle' | 'saving' | 'saved' | 'failed',
): string {
  if (status === 'waiting' || status === 'saving' || calls === 'saving') return 'Saving...'
  if (status !== 'saved' || calls === 'failed') return ''
  if (version === null && calls !== 'saved') return 'Everything you enter is saved automatically.'
  if (agent?.state === 'live') return 'Saved. Your agent knows it.'
  if (agent?.state === 'changing') return 'Saved, live in a moment.'
  return 'Saved.'
}
