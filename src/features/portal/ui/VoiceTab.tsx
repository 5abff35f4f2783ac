import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { sampleOf, type AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import type { IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import { needsVoiceSample, voiceWords } from '#agent/domain/onboarding.ts'
import {
  $agentSettings,
  loadAgentSettings,
  noteAgentSettings,
  saveAgentSettings,
} from '#agent/browser/agent-settings-store.ts'
import { tryOutStored } from '#agent/browser/try-out.ts'
import { portalVoiceUpload } from '#agent/browser/voice/voice-upload-clients.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { GreetingField } from '#agent/ui/knowledge/GreetingField.tsx'
import { TemplateChoice } from '#agent/ui/onboarding/TemplateChoice.tsx'
import { VoiceSampleField } from '#agent/ui/voice/VoiceSampleField.tsx'
import { formGrid, stack } from '#platform/domain/app-variants.ts'
import { button, cell, frame, gridRow } from '#platform/domain/variants.ts'
import { Problem } from '#platform/ui/Problem.tsx'

/** The agent's voice sample, template and greeting. */
export function VoiceTab({ userId, plan }: { userId: string; plan: string }) {
  const state = useStore($agentSettings)
  useEffect(() => void loadAgentSettings(userId), [userId])
  if (state.status === 'ready' && state.userId === userId)
    return <VoiceSettings userId={userId} plan={plan} settings={state.settings} />
  return <Waiting failed={state.status === 'failed'} onRetry={() => void loadAgentSettings(userId)} />
}

function VoiceSettings({
  userId,
  plan,
  settings,
}: {
  userId: string
  plan: string
  settings: AgentSettingsRow
}) {
  const [upload] = useState(() => portalVoiceUpload(userId, sampleOf(settings)))
  return (
    <section>
      <div className={`${frame} ${gridRow} md:grid-rows-[auto_1fr]`}>
        <div className={cell({ span: 8, room: 'tall', class: stack })}>
          <h1 className="text-mid">Voice</h1>
          <p className="text-lead text-ink-2">{voiceWords(plan)}</p>
          {needsVoiceSample(plan) && (
            <div className="max-w-wide">
              <VoiceSampleField upload={upload} />
            </div>
          )}
        </div>
        {/* As long as what is beside it, both the sample and the greeting. */}
        <div className={cell({ room: 'tall', class: 'md:[grid-area:1/9/3/-1]' })}>
          <TemplateSetting userId={userId} chosen={settings.industry_template} />
        </div>
        <div className="min-w-0 border-t px-pad py-8 md:col-span-8 md:border-t-0 md:pt-0 md:pb-12">
          <div className={formGrid}>
            <GreetingField />
            <button
              className={button({ kind: 'other' })}
              type="button"
              onClick={() => void tryOutStored('portal', userId)}
            >
              Start AI Conversation
            </button>
          </div>
        </div>
      </div>
    </section>
  )
}

type Saving = 'idle' | 'saving' | 'saved' | 'failed'

function hint(saving: Saving, chosen: IndustryTemplateId | null): string {
  if (saving === 'saving') return 'Saving...'
  if (saving === 'saved') return 'Saved.'
  return chosen ? 'The trade that your agent answers for.' : 'Nothing chosen yet.'
}

function TemplateSetting({ userId, chosen }: { userId: string; chosen: IndustryTemplateId | null }) {
  const [saving, setSaving] = useState<Saving>('idle')

  async function choose(industry_template: IndustryTemplateId): Promise<void> {
    setSaving('saving')
    noteAgentSettings({ industry_template })
    const saved = await saveAgentSettings(userId, { industry_template })
    if (!saved) noteAgentSettings({ industry_template: chosen })
    setSaving(saved ? 'saved' : 'failed')
  }

  return (
    <div className={stack}>
      <TemplateChoice
        chosen={chosen}
        disabled={saving === 'saving'}
        onChoose={(template) => void choose(template)}
      />
      <p className="text-sm text-ink-2" role="status">
        {hint(saving, chosen)}
      </p>
      <Problem>{saving === 'failed' && 'Not saved. Check your connection and choose again.'}</Problem>
    </div>
  )
}
