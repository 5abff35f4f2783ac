import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { tryOut } from '#agent/browser/try-out.ts'
import { businessNameField } from '#agent/browser/setting-fields.ts'
import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { Known } from '#agent/domain/knowledge/import.ts'
import type * as phones from '#agent/domain/phone.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { TeachingState } from '#agent/domain/teaching.ts'
import { Section } from '#agent/ui/knowledge/FormSection.tsx'
import { ImportPanel } from '#agent/ui/knowledge/ImportPanel.tsx'
import { KnowledgeForm } from '#agent/ui/knowledge/KnowledgeForm.tsx'
import type { TeachingFlow } from '#agent/ui/knowledge/teaching-flow.ts'
import { UnansweredQuestions } from '#agent/ui/knowledge/UnansweredQuestions.tsx'
import { saveField, typeInto } from '#platform/browser/storage/typed-fields.ts'
import { noteShown } from '#platform/browser/storage/unsaved.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { languageLimit } from '#plans/domain/plans.ts'
import { readMyAgent, updateMyAgent } from '#telephony/browser/my-agent.ts'
import type { MyAgent } from '#telephony/domain/agents/my-agent.ts'
import { $callSettings, loadCallSettings } from '#telephony/browser/call-settings-store.ts'
import { CallSettings } from '#telephony/ui/CallSettings.tsx'
import { MyAgents } from '#telephony/ui/MyAgents.tsx'
import { TestCall } from '#telephony/ui/TestCall.tsx'
import { UnsavedCallSettings } from '#telephony/ui/UnsavedCallSettings.tsx'
import { $published, knowledgeName, openedTeaching } from './kept-teaching.ts'
import { buttonRow, problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow, textButton } from '#platform/domain/variants.ts'

/** How often the agent's state is read while a change is on its way to it, in milliseconds. */
const readAgainMs = 3_000

type Loaded =
  { status: 'loading' } | { status: 'failed' } | { status: 'ready'; flow: TeachingFlow; phone: typeof phones }

async function opened(userId: string): Promise<Loaded> {
  const teaching = openedTeaching(userId)
  try {
    const phone = await import('#agent/domain/phone.ts')
    const flow = await teaching
    return flow ? { status: 'ready', flow, phone } : { status: 'failed' }
  } catch {
    return { status: 'failed' }
  }
}

/** Shows what the agent knows, and saves each change by itself. */
export function AgentTab({ userId, plan }: { userId: string; plan: string }) {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [tries, setTries] = useState(1)
  const settings = useStore($agentSettings)
  const calls = useStore($callSettings)
  useEffect(() => {
    void loadAgentSettings(userId)
    void loadCallSettings(userId)
    void opened(userId).then(setLoaded)
  }, [userId, tries])
  // The fields begin with what is stored: an empty one would be saved in its place.
  const isReady =
    settings.status === 'ready' &&
    settings.userId === userId &&
    calls.status === 'ready' &&
    calls.userId === userId
  if (loaded.status === 'ready' && isReady)
    return <Teaching userId={userId} plan={plan} {...loaded} settings={settings.settings} />
  return (
    <Waiting
      failed={[loaded, settings, calls].some(({ status }) => status === 'failed')}
      onRetry={() => setTries(tries + 1)}
    />
  )
}

/** Stays in view below a long form, and above the strip of the round button. */
const savingBar =
  'sticky bottom-0 border-t bg-paper max-2xl:[:root:has([data-voice-loaded]:not([hidden])):not([data-conversation=started])_&]:bottom-strip'

interface TeachingProps {
  userId: string
  plan: string
  flow: TeachingFlow
  phone: typeof phones
  settings: AgentSettingsRow
}

function Teaching({ userId, plan, flow, phone, settings }: TeachingProps) {
  const [agent, setAgent] = useState<MyAgent | null>(null)
  const published = useStore($published)
  const [publishedBefore] = useState(published)
  const calls = useStore($callSettings)
  const hasPaused = calls.status === 'ready' && calls.saving === 'saved' && calls.settings.paused
  useEffect(() => {
    let isLatest = true
    void readMyAgent().then((read) => isLatest && setAgent(read ?? null))
    return () => void (isLatest = false)
  }, [published, hasPaused])
  // What could not be told to the provider at once is told by the schedule.
  useEffect(() => {
    if (agent?.state !== 'changing') return
    const timer = setTimeout(
      () => void readMyAgent().then((read) => setAgent(read ?? { ...agent })),
      readAgainMs,
    )
    return () => clearTimeout(timer)
  }, [agent])
  const callable = agent?.agents.filter((each) => each.is_at_provider && each.state !== 'stopped') ?? []
  const state = useStore(flow.state)
  const agentNumbers = agent?.numbers.map(({ number }) => number) ?? []
  const isRecorded = calls.status === 'ready' && calls.settings.record_calls

  const edit = (changes: Partial<AgentKnowledge>): void =>
    flow.send({ type: 'edited', draft: { ...state.draft, ...changes } })

  const takeOver = ({ business, knowledge }: Known): void => {
    flow.send({ type: 'edited', draft: knowledge })
    if (business === settings.business_name) return
    const field = businessNameField(userId)
    typeInto(field, settings.business_name, business ?? '')
    void saveField(field.name)
  }

  useEffect(() => noteShown(knowledgeName(userId)), [userId])
  useEffect(() => noteShown(`${userId}:call_settings`), [userId])
  // Another tab of the portal replaces this one.
  useEffect(() => () => flow.send({ type: 'saveDue' }), [flow])

  return (
    <>
      <section>
        <div className={`${frame} ${gridRow}`}>
          <div className={cell({ span: 8, room: 'tall', class: stack })}>
            <h1 className="text-mid">Agent</h1>
            <p className="text-lead text-ink-2">What your agent knows when it answers your phone.</p>
          </div>
          <div className={cell({ room: 'tall', class: stack })}>
            <h2 className="text-label text-ink-2 uppercase">Try it</h2>
            <p className="text-ink-2">Ask it what your callers ask. This costs no minutes.</p>
            <button
              className={button({ kind: 'other' })}
              type="button"
              onClick={() => {
                // It answers from what is saved.
                flow.send({ type: 'saveDue' })
                tryOut('portal', settings, state.draft)
              }}
            >
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
      <UnansweredQuestions userId={userId} knowledge={state.draft} onChange={edit} />
      <Section title="Import">
        <ImportPanel
          userId={userId}
          known={{ business: settings.business_name, knowledge: state.draft }}
          onTakeOver={takeOver}
        />
      </Section>
      <KnowledgeForm
        userId={userId}
        knowledge={state.draft}
        languages={languageLimit(plan)}
        business={settings.business_name}
        greeting={settings.greeting}
        isRecorded={isRecorded}
        loops={[calls.status === 'ready' ? calls.settings.own_number : null, ...agentNumbers]}
        phone={phone}
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
      <CallSettings agents={agentNumbers} transfer={state.draft.transfer.number} phone={phone} />
      <div className={savingBar} data-saving>
        <div className={`${frame} py-2.5 pr-pad pl-pad 2xl:pr-26`}>
          <p className="text-sm empty:hidden" role="status">
            {calls.status === 'ready'
              ? statusText(state, published > publishedBefore ? agent : null, calls.saving)
              : ''}
          </p>
          {state.status === 'failed' && (
            <div className={`${buttonRow} justify-between`} role="alert">
              <p className={problemLine}>Not saved. Check your connection.</p>
              <button
                className={textButton({ class: 'text-sm' })}
                type="button"
                onClick={() => flow.send({ type: 'saveDue' })}
              >
                Try again
              </button>
            </div>
          )}
          {state.status === 'refused' && (
            <p className={problemLine} role="alert">
              Not saved: a text on this page is too long or consists of invisible characters.
            </p>
          )}
          <UnsavedCallSettings />
          {state.status === 'overtaken' && (
            <div className={buttonRow} role="alert">
              <p className={problemLine}>This was changed in another tab or on another device.</p>
              <button
                className={button({ kind: 'other', size: 'small' })}
                type="button"
                onClick={() => flow.send({ type: 'mineChosen' })}
              >
                Keep what is on this page
              </button>
              <button
                className={button({ kind: 'other', size: 'small' })}
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
