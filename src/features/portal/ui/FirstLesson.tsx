import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { ImportPanel } from './ImportPanel.tsx'
import type { TeachingFlow } from '#agent/ui/knowledge/teaching-flow.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { noteShown } from '#platform/browser/storage/unsaved.ts'
import { knowledgeName, openedTeaching, takeOver } from './kept-teaching.ts'

interface Props {
  userId: string
  /** Is called once what was found has been decided and saved. */
  onSettled: () => void
}

/** Teaches a fresh agent from the customer's website. Nothing is taken over before the customer has confirmed it. */
export function FirstLesson({ userId, onSettled }: Props) {
  const [flow, setFlow] = useState<TeachingFlow | 'failed'>()
  const settings = useStore($agentSettings)
  useEffect(() => {
    void loadAgentSettings(userId)
    void openedTeaching(userId).then((opened) => setFlow(opened ?? 'failed'))
  }, [userId])
  if (flow === 'failed' || settings.status === 'failed')
    return (
      <p className={problemLine} role="alert">
        This did not load. Check your connection and open this page again.
      </p>
    )
  if (!flow || settings.status !== 'ready') return <p className="text-ink-2">Loading</p>
  return (
    <Lesson userId={userId} flow={flow} business={settings.settings.business_name} onSettled={onSettled} />
  )
}

function Lesson({
  userId,
  flow,
  business,
  onSettled,
}: Props & { flow: TeachingFlow; business: string | null }) {
  const state = useStore(flow.state)
  const [isDecided, setDecided] = useState(false)
  useEffect(() => noteShown(knowledgeName(userId)), [userId])
  useEffect(() => {
    if (isDecided && state.status === 'saved') onSettled()
  }, [isDecided, state.status, onSettled])
  return (
    <>
      <ImportPanel
        userId={userId}
        known={{ business, knowledge: state.draft }}
        onTakeOver={(known) => takeOver(userId, flow, known, business)}
        onSettled={() => {
          flow.send({ type: 'saveDue' })
          setDecided(true)
        }}
      />
      {(state.status === 'failed' || state.status === 'overtaken') && (
        <p className={problemLine} role="alert">
          Not saved. Open Agent to see what it knows.
        </p>
      )}
    </>
  )
}
