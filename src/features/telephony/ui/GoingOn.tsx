import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { planName, type PayablePlanId } from '#plans/domain/plans.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { chooseForPlan, readMyAgent } from '#telephony/browser/my-agent.ts'
import {
  choiceProblems,
  goingOn,
  heldAgents,
  isFull,
  limitsOf,
  listStopping,
  type GoingOn,
  type HeldAgent,
} from '#telephony/domain/agents/going-on.ts'
import type { MyAgent } from '#telephony/domain/agents/my-agent.ts'
import { GoingOnChoice } from './GoingOnChoice.tsx'
import { problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell, gridRow } from '#platform/domain/variants.ts'

interface Props {
  plan: PayablePlanId
  /** The day on which the plan begins. */
  day: string
  userId: string
}

/** What a customer has, and what of it goes on with a plan. */
interface Choice {
  status: 'reading' | 'failed' | 'needless' | 'open'
  agents: readonly HeldAgent[]
  keeps: GoingOn
  /** Whether it can be saved: so many are chosen as the plan has. */
  isFull: boolean
  pick: (keeps: GoingOn | undefined) => void
  readAgain: () => void
}

/** Saves a choice. Returns the problem; null if it is saved. */
async function saveChoice(plan: PayablePlanId, keeps: GoingOn): Promise<string | null> {
  const outcome = await chooseForPlan(plan, keeps)
  return outcome === 'saved' ? null : choiceProblems[outcome]
}

/** Reads the customer's agents, and holds what is picked of them until it is saved. */
function useChoice(plan: PayablePlanId, userId: string): Choice {
  const settings = useStore($agentSettings)
  const [mine, setMine] = useState<MyAgent | 'failed'>()
  const [picked, pick] = useState<GoingOn>()
  const [reads, setReads] = useState(0)
  useEffect(() => {
    let isStale = false
    void loadAgentSettings(userId)
    void readMyAgent().then((read) => {
      if (!isStale) setMine(read ?? 'failed')
    })
    return () => {
      isStale = true
    }
  }, [userId, reads])
  const business = settings.status === 'ready' ? settings.settings.business_name : null
  const agents = mine === undefined || mine === 'failed' ? [] : heldAgents(mine, business)
  const limits = limitsOf(plan)
  const proposed = goingOn(agents, plan, limits)
  const keeps = picked ?? proposed
  const isNeedless = listStopping(agents, proposed).length === 0
  return {
    status: mine === undefined ? 'reading' : mine === 'failed' ? mine : isNeedless ? 'needless' : 'open',
    agents,
    keeps,
    isFull: isFull(agents, keeps, limits),
    pick,
    readAgain: () => setReads(reads + 1),
  }
}

interface SwitchProps extends Props {
  own: string
  /** Gets how the choice is saved, if there is one. */
  onConfirm: (saveChoice?: () => Promise<string | null>) => void
  onCancel: () => void
}

/** Asks before a smaller plan is noted, and what goes on with it. */
export function SwitchDialog({ plan, own, day, userId, onConfirm, onCancel }: SwitchProps) {
  const { status, agents, keeps, isFull: canSave, pick } = useChoice(plan, userId)
  const confirm = (): void => {
    if (status === 'open' && canSave) onConfirm(() => saveChoice(plan, keeps))
    else if (status === 'failed' || status === 'needless') onConfirm()
  }
  return (
    <ConfirmDialog
      title={`Switch to ${planName(plan)}?`}
      action={status === 'reading' ? 'Reading your agents...' : `Switch to ${planName(plan)}`}
      isHarmless
      onConfirm={confirm}
      onCancel={onCancel}
    >
      <div className={stack}>
        <p>
          You keep {planName(own)} and its minutes until {day}, and {planName(plan)} begins then. Nothing is
          charged now. You can take this back until then.
        </p>
        {status === 'failed' && (
          <p className={problemLine} role="alert">
            Your agents could not be read. If you go on, you can choose later which of them stay. Without a
            choice, the oldest do.
          </p>
        )}
        {status === 'open' && (
          <GoingOnChoice plan={plan} day={day} agents={agents} keeps={keeps} onChange={pick} />
        )}
      </div>
    </ConfirmDialog>
  )
}

/** Says what goes on with a smaller plan that is noted, and lets the customer choose anew until it begins. */
export function NextPlanAgents({ plan, day, userId }: Props) {
  const { status, agents, keeps, isFull: canSave, pick, readAgain } = useChoice(plan, userId)
  const [isChoosing, setChoosing] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (status !== 'open') return null

  const close = (): void => {
    pick(undefined)
    setProblem(undefined)
    setChoosing(false)
  }
  async function save(): Promise<void> {
    if (!canSave) return
    setSaving(true)
    const outcome = await chooseForPlan(plan, keeps)
    setSaving(false)
    if (outcome === 'saved') setChoosing(false)
    else setProblem(choiceProblems[outcome])
    if (outcome !== 'failed') readAgain()
  }
  const names = agents.filter(({ account }) => keeps.agents.includes(account)).map(({ name }) => name)
  return (
    <div className={`${gridRow} border-t`}>
      <p className={cell({ span: 8, class: 'text-sm text-ink-2' })} role="status">
        {names.join(' and ')} {names.length > 1 ? 'go' : 'goes'} on with {planName(plan)} from {day}. There is
        no place for {listStopping(agents, keeps).join(' and ')}.
      </p>
      <div className={cell()}>
        <button
          className={button({ kind: 'other', full: true })}
          type="button"
          onClick={() => setChoosing(true)}
        >
          Choose what goes on
        </button>
      </div>
      {isChoosing && (
        <ConfirmDialog
          title={`What goes on with ${planName(plan)}?`}
          action={isSaving ? 'Saving...' : 'Save'}
          isHarmless
          isBusy={isSaving}
          onConfirm={() => void save()}
          onCancel={close}
        >
          <div className={stack}>
            {problem && (
              <p className={problemLine} role="alert">
                {problem}
              </p>
            )}
            <GoingOnChoice plan={plan} day={day} agents={agents} keeps={keeps} onChange={pick} />
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}
