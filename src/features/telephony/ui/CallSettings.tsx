import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import type * as phones from '#agent/domain/phone.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { Section } from '#agent/ui/knowledge/FormSection.tsx'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'
import { mailedField, phoneField } from '#telephony/browser/call-fields.ts'
import { readEndedReaders } from '#telephony/browser/call-settings.ts'
import { $callSettings, changeCallSettings } from '#telephony/browser/call-settings-store.ts'
import { currentRecordConsent, mostAddresses, recordConsentTexts } from '#telephony/domain/call-settings.ts'
import { BlockedCallers } from './BlockedCallers.tsx'
import { LimitPolicyField } from './LimitPolicyField.tsx'
import { button } from '#platform/domain/variants.ts'
import { Choice, Choices } from '#platform/ui/fields/Choice.tsx'
import { buttonRow, fieldGrid, stack } from '#platform/domain/app-variants.ts'

interface Props {
  /** The numbers that the customer's agents answer. */
  agents: readonly string[]
  /** The number of a person that the customer has taught the agent. */
  transfer: string | null
  phone: typeof phones
}

/** How the phone is answered. Every change is saved by itself; the page has loaded the settings. */
export function CallSettings({ agents, transfer, phone }: Props) {
  const state = useStore($callSettings)
  if (state.status !== 'ready') return null
  const { settings, userId } = state
  const save = (changes: Parameters<typeof changeCallSettings>[0]): void => void changeCallSettings(changes)
  const typed = { inputMode: 'tel', placeholder: '+46 8 123 45 67' } as const
  return (
    <>
      <Section title="Answering calls">
        <div className={stack}>
          <p role="status">
            <b>{settings.paused ? 'Your agent is paused.' : 'Your agent answers your calls.'}</b>{' '}
            {settings.paused && 'Callers are put through to a person, if you have named one.'}
          </p>
          <p className={buttonRow}>
            <button
              className={
                settings.paused ? button({ size: 'small' }) : button({ kind: 'other', size: 'small' })
              }
              type="button"
              onClick={() => save({ paused: !settings.paused })}
            >
              {settings.paused ? 'Resume the agent' : 'Pause the agent'}
            </button>
          </p>
        </div>
        <SavedField
          field={phoneField(userId, 'fallback_number', [settings.own_number, ...agents], phone)}
          known={settings.fallback_number}
          hint="Rings if your agent is paused or cannot answer."
          {...typed}
        />
        <SavedField
          field={phoneField(userId, 'own_number', [settings.fallback_number, transfer, ...agents], phone)}
          known={settings.own_number}
          hint="The number that your customers know, and that forwards its calls to your agent."
          {...typed}
        />
        <LimitPolicyField settings={settings} save={save} />
      </Section>
      <Section title="Recordings">
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
            and at our voice provider.
          </p>
        </div>
      </Section>
      <Section title="Emails about calls">
        <SelectInput
          label="How often"
          value={settings.summaries}
          options={[
            ['at_once', 'After each call'],
            ['daily', 'Once a day'],
            ['never', 'Never'],
          ]}
          onChange={(summaries) => save({ summaries })}
        />
        {settings.summaries !== 'never' && (
          <>
            <SavedField
              field={mailedField(userId)}
              known={settings.summaries_to}
              hint={`Email addresses, one a line, ${mostAddresses} at most. Each email says what the call was about and what came of it.`}
              rows={2}
            />
            <EndedReaders userId={userId} named={settings.summaries_to} />
          </>
        )}
      </Section>
      <Section title="Blocked callers">
        <BlockedCallers userId={userId} />
      </Section>
    </>
  )
}

/** Says who of the named people has ended the mails by the link in them. */
function EndedReaders({ userId, named }: { userId: string; named: readonly string[] }) {
  const [ended, setEnded] = useState<readonly string[]>([])
  useEffect(() => {
    void readEndedReaders(userId).then((read) => read && setEnded(read))
  }, [userId])
  const readers = named.filter((address) => ended.includes(address))
  return (
    readers.length > 0 && (
      <p className="text-sm text-ink-2">
        No emails go to {readers.join(', ')}:{' '}
        {readers.length === 1 ? 'this reader has' : 'these readers have'} ended them.
      </p>
    )
  )
}
