import type { ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type * as phones from '#agent/domain/phone.ts'
import { PhoneInput } from '#agent/ui/knowledge/PhoneInput.tsx'
import { callsWithoutAgent } from '#billing/domain/minutes/at-limit.ts'
import { Folded } from '#platform/ui/Folded.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'
import { phoneField } from '#telephony/browser/call-fields.ts'
import { $callSettings, changeCallSettings } from '#telephony/browser/call-settings-store.ts'
import { currentRecordConsent, recordConsentTexts } from '#telephony/domain/call-settings.ts'
import { BlockedCallers } from './BlockedCallers.tsx'
import { button } from '#platform/domain/variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { fieldGrid } from '#platform/domain/app-variants.ts'

interface Props {
  /** The numbers that the customer's agents answer. */
  agents: readonly string[]
  /** To whom calls are transferred, as the customer has taught the agent. */
  transfer: AgentKnowledge['transfer']
  onTransfer: (transfer: AgentKnowledge['transfer']) => void
  phone: typeof phones
  /** The list of numbers and agents. */
  children: ReactNode
}

/** Who answers the phone, and whether calls are recorded. Every change is saved by itself; the page has loaded the settings. */
export function CallSettings({ agents, transfer, onTransfer, phone, children }: Props) {
  const state = useStore($callSettings)
  if (state.status !== 'ready') return null
  const { settings, userId } = state
  const { fallback_number: fallback, own_number: own } = settings
  const save = (changes: Parameters<typeof changeCallSettings>[0]): void => void changeCallSettings(changes)
  const typed = { inputMode: 'tel', placeholder: '+46 8 123 45 67' } as const
  const named = [
    transfer.number && `transfers to ${phone.formatNumber(transfer.number)}`,
    fallback && `fallback ${phone.formatNumber(fallback)}`,
    agents.length > 0 && `your agent answers ${agents.map(phone.formatNumber).join(' and ')}`,
  ].filter(Boolean)
  return (
    <>
      <Folded
        title="People and numbers"
        summary={
          named.join(', ').replace(/^./, (letter) => letter.toUpperCase()) ||
          'Whom your agent transfers calls to, and who is called if it cannot answer.'
        }
        state={transfer.number || fallback ? 'done' : 'todo'}
        holds={['transfer', 'fallback_number', 'own_number'].map((name) => `${userId}:${name}`)}
      >
        <PhoneInput
          name={`${userId}:transfer`}
          label="Transfer calls to"
          hint="Callers who ask for a person are put through to this number. Without one, your agent takes a message."
          value={transfer.number}
          refused={[own, ...agents]}
          phone={phone}
          onChange={(number) => onTransfer({ ...transfer, number })}
        />
        <SavedField
          field={phoneField(userId, 'fallback_number', [own, ...agents], phone)}
          known={fallback}
          hint="Rings if your agent is paused or cannot answer."
          {...typed}
        />
        <SavedField
          field={phoneField(userId, 'own_number', [fallback, transfer.number, ...agents], phone)}
          known={own}
          hint="The number that your customers know, and that forwards its calls to your agent."
          {...typed}
        />
        {children}
        <h3 className="text-h4">Blocked callers</h3>
        <BlockedCallers userId={userId} />
      </Folded>
      <Folded
        title="Answering calls"
        summary={
          settings.paused
            ? 'Your agent is paused.'
            : transfer.first === 'staff'
              ? 'A person answers during opening hours, else your agent.'
              : 'Your agent answers first, always.'
        }
        state={settings.paused ? 'paused' : 'on'}
      >
        <p role="status">
          <b>{settings.paused ? 'Your agent is paused.' : 'Your agent answers your calls.'}</b>{' '}
          {settings.paused && callsWithoutAgent}
        </p>
        <button
          className={button({ kind: settings.paused ? 'main' : 'other', class: 'justify-self-start' })}
          type="button"
          onClick={() => save({ paused: !settings.paused })}
        >
          {settings.paused ? 'Resume the agent' : 'Pause the agent'}
        </button>
        <SelectInput
          label="Who answers first"
          value={transfer.first}
          options={[
            ['agent', 'The agent, always'],
            ['staff', 'A person during opening hours, else the agent'],
          ]}
          onChange={(first) => onTransfer({ ...transfer, first })}
        />
      </Folded>
      <Folded
        title="Recordings"
        summary={
          settings.record_calls
            ? 'Calls are recorded, and kept for 90 days at most.'
            : 'Calls are not recorded.'
        }
        state={settings.record_calls ? 'on' : 'off'}
      >
        <div className={fieldGrid}>
          <Choices>
            <Choice
              type="checkbox"
              checked={settings.record_calls}
              onChange={({ target }) =>
                save(
                  target.checked
                    ? { record_calls: true, record_consent_version: currentRecordConsent }
                    : { record_calls: false },
                )
              }
            >
              <span className="text-sm">{recordConsentTexts[currentRecordConsent]}</span>
            </Choice>
          </Choices>
          <p className="text-sm text-ink-2">
            Only you can hear the recordings, in the list of your calls. They are deleted after 90 days, here
            and at our voice provider, or sooner: with what callers leave, as Settings has it.
          </p>
        </div>
      </Folded>
    </>
  )
}
