import { useEffect, useId, useState, type ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { keptWebsite } from '#agent/browser/website.ts'
import { tryOut } from '#agent/browser/try-out.ts'
import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type * as phones from '#agent/domain/phone.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { ImportPanel } from './ImportPanel.tsx'
import { KnowledgeForm } from '#agent/ui/knowledge/KnowledgeForm.tsx'
import type { Teaching, TeachingState } from '#agent/browser/teaching.ts'
import { UnansweredQuestions } from '#agent/ui/knowledge/UnansweredQuestions.tsx'
import { noteShown } from '#platform/browser/storage/unsaved.ts'
import { Folded } from '#platform/ui/Folded.tsx'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { languageLimit } from '#plans/domain/plans.ts'
import { readMyAgent, updateMyAgent } from '#telephony/browser/my-agent.ts'
import type { MyAgent } from '#telephony/domain/agents/my-agent.ts'
import { $callSettings, loadCallSettings } from '#telephony/browser/call-settings-store.ts'
import { CallSettings } from '#telephony/ui/CallSettings.tsx'
import { MyAgents } from '#telephony/ui/MyAgents.tsx'
import { TestCall } from '#telephony/ui/TestCall.tsx'
import { UnsavedCallSettings } from '#telephony/ui/UnsavedCallSettings.tsx'
import { $published, knowledgeName, openedTeaching, takeOver } from './kept-teaching.ts'
import { buttonRow, problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, textButton } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

/** How often the agent's state is read while a change is on its way to it, in milliseconds. */
const readAgainMs = 3_000

type Loaded =
  { status: 'loading' } | { status: 'failed' } | { status: 'ready'; teaching: Teaching; phone: typeof phones }

async function opened(userId: string): Promise<Loaded> {
  const opening = openedTeaching(userId)
  try {
    const phone = await import('#agent/domain/phone.ts')
    const teaching = await opening
    return teaching ? { status: 'ready', teaching, phone } : { status: 'failed' }
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
    return <TeachAgent userId={userId} plan={plan} {...loaded} settings={settings.settings} />
  return (
    <Waiting
      failed={[loaded, settings, calls].some(({ status }) => status === 'failed')}
      onRetry={() => setTries(tries + 1)}
    />
  )
}

/**
 * The agent's trial and what is saved. On wide screens it stands beside the parts; on narrow ones it stays in view below
 * them, beside the round button.
 */
const side = 'bg-paper max-md:sticky max-md:bottom-0 max-md:border-t md:col-span-4 md:border-l'

interface TeachingProps {
  userId: string
  plan: string
  teaching: Teaching
  phone: typeof phones
  settings: AgentSettingsRow
}

function TeachAgent({ userId, plan, teaching, phone, settings }: TeachingProps) {
  const [agent, setAgent] = useState<MyAgent | null>(null)
  const published = useStore($published)
  const [publishedBefore] = useState(published)
  const [suggests] = useState(() => keptWebsite(userId) !== null)
  const calls = useStore($callSettings)
  const hasPaused = calls.status === 'ready' && calls.saving === 'saved' && calls.settings.paused
  useEffect(() => takeAnswer(readMyAgent(), (read) => setAgent(read ?? null)), [published, hasPaused])
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
  const state = useStore(teaching.state)
  const agentNumbers = agent?.numbers.map(({ number }) => number) ?? []
  const isRecorded = calls.status === 'ready' && calls.settings.record_calls

  const edit = (changes: Partial<AgentKnowledge>): void => teaching.edit({ ...state.draft, ...changes })

  useEffect(() => noteShown(knowledgeName(userId)), [userId])
  useEffect(() => noteShown(`${userId}:call_settings`), [userId])
  // Another tab of the portal replaces this one.
  useEffect(() => () => void teaching.saveNow(), [teaching])

  return (
    <section>
      <div className={`${frame} flex flex-col md:grid md:grid-cols-12`}>
        <div className="min-w-0 md:col-span-8">
          <div className={cell({ room: 'tall', class: stack })}>
            <h1 className="text-mid">Agent</h1>
            <p className="text-lead text-ink-2">
              What your agent knows, and how it answers your phone. Open a part to change it.
            </p>
          </div>
          <UnansweredQuestions userId={userId} knowledge={state.draft} onChange={edit} />
          <Folded
            title="Import from your website"
            summary="Suggests what your agent can learn from your website or a price list."
            isOpen={suggests}
          >
            <ImportPanel
              userId={userId}
              known={{ business: settings.business_name, knowledge: state.draft }}
              onTakeOver={(known) => takeOver(userId, teaching, known, settings.business_name)}
            />
          </Folded>
          <KnowledgeForm
            userId={userId}
            knowledge={state.draft}
            languages={languageLimit(plan)}
            business={settings.business_name}
            greeting={settings.greeting}
            isRecorded={isRecorded}
            onChange={edit}
          />
          <CallSettings
            agents={agentNumbers}
            transfer={state.draft.transfer}
            onTransfer={(transfer) => edit({ transfer })}
            phone={phone}
          >
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
          </CallSettings>
        </div>
        <div className={side}>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-pad max-md:py-2.5 max-md:pr-24 md:sticky md:top-0 md:grid md:gap-4 md:pt-16 md:pb-12">
            <TryIt
              start={() => {
                // It answers from what is saved.
                void teaching.saveNow()
                tryOut('portal', settings, state.draft)
              }}
            >
              {callable.length > 0 && (
                <TestCall
                  agents={callable.map(({ account, name }) => [
                    account,
                    name ?? settings.business_name ?? 'Your agent',
                  ])}
                />
              )}
            </TryIt>
            <div className="grid gap-3 max-md:flex-1" data-saving>
              <p className="text-sm text-ink-2 empty:hidden" role="status">
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
                    onClick={() => void teaching.saveNow()}
                  >
                    Try again
                  </button>
                </div>
              )}
              <Problem>
                {state.status === 'refused' &&
                  'Not saved: a text on this page is too long or consists of invisible characters.'}
              </Problem>
              <UnsavedCallSettings />
              {state.status === 'overtaken' && (
                <div className={buttonRow} role="alert">
                  <p className={problemLine}>This was changed in another tab or on another device.</p>
                  <button
                    className={button({ kind: 'other', size: 'small' })}
                    type="button"
                    onClick={() => void teaching.keepMine()}
                  >
                    Keep what is on this page
                  </button>
                  <button
                    className={button({ kind: 'other', size: 'small' })}
                    type="button"
                    onClick={teaching.takeTheirs}
                  >
                    Take the other version
                  </button>
                </div>
              )}
            </div>
          </div>
        </div>
      </div>
    </section>
  )
}

/** Lets the customer try the agent: always there on wide screens, a press away on narrow ones. */
function TryIt({ start, children }: { start: () => void; children: ReactNode }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        className={button({ kind: 'other', size: 'small', class: 'order-1 md:hidden!' })}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Try it
      </button>
      <div className={`${stack} max-md:basis-full ${isOpen ? '' : 'max-md:hidden'}`} id={id}>
        <h2 className="text-label text-ink-2 uppercase max-md:hidden">Try it</h2>
        <p className="text-ink-2">Ask it what your callers ask. This costs no minutes.</p>
        <button className={button({ full: true })} type="button" onClick={start}>
          Start AI Conversation
        </button>
        {children}
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
