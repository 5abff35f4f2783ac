import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { $agentSettings, loadAgentSettings } from '#agent/browser/agent-settings-store.ts'
import { ImportPanel } from './ImportPanel.tsx'
import type { Teaching } from '#agent/browser/teaching.ts'
import { noteShown } from '#platform/browser/storage/unsaved.ts'
import { knowledgeName, openedTeaching, takeOver } from './kept-teaching.ts'
import { Problem } from '#platform/ui/Problem.tsx'

interface Props {
  userId: string
  /** Is called once what was found has been decided and saved. */
  onSettled: () => void
}

/** Teaches a fresh agent from the customer's website. Nothing is taken over before the customer has confirmed it. */
export function FirstLesson({ userId, onSettled }: Props) {
  const [teaching, setTeaching] = useState<Teaching | 'failed'>()
  const settings = useStore($agentSettings)
  useEffect(() => {
    void loadAgentSettings(userId)
    void openedTeaching(userId).then((opened) => setTeaching(opened ?? 'failed'))
  }, [userId])
  if (teaching === 'failed' || settings.status === 'failed')
    return <Problem>This did not load. Check your connection and open this page again.</Problem>
  if (!teaching || settings.status !== 'ready') return <p className="text-ink-2">Loading</p>
  return (
    <Lesson
      userId={userId}
      teaching={teaching}
      business={settings.settings.business_name}
      onSettled={onSettled}
    />
  )
}

function Lesson({
  userId,
  teaching,
  business,
  onSettled,
}: Props & { teaching: Teaching; business: string | null }) {
  const state = useStore(teaching.state)
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
        onTakeOver={(known) => takeOver(userId, teaching, known, business)}
        onSettled={() => {
          void teaching.saveNow()
          setDecided(true)
        }}
      />
      <Problem>
        {(state.status === 'failed' || state.status === 'overtaken') &&
          'Not saved. Open Agent to see what it knows.'}
      </Problem>
    </>
  )
}
