import type * as phones from '#agent/domain/phone.ts'
import { saveOver } from '#platform/browser/storage/save-over.ts'
import type { TypedField } from '#platform/browser/storage/typed-fields.ts'
import { parseAddresses, type CallSettings } from '#telephony/domain/call-settings.ts'
import { noteCallSettings } from './call-settings-store.ts'
import { updateMyAgent } from './my-agent.ts'

const labels = { fallback_number: 'Fallback number', own_number: 'Your own number' } as const

/**
 * Returns the field for the number that rings if the agent cannot answer, or for the customer's own number.
 * @param others the numbers that it must not be
 */
export const phoneField = (
  userId: string,
  column: keyof typeof labels,
  others: readonly (string | null)[],
  { formatNumber, parseTyped }: typeof phones,
): TypedField<string | null> => ({
  name: `${userId}:${column}`,
  label: labels[column],
  text: (number) => (number === null ? '' : formatNumber(number)),
  parse: (typed) =>
    parseTyped(typed, others, navigator.language, column === 'own_number' ? 'forwards' : 'called'),
  async save(change) {
    const outcome = await saveOver('call_settings', userId, column, change)
    // The scheduled function does the same within a minute.
    if (outcome.kind === 'saved') void updateMyAgent().catch(() => undefined)
    return outcome
  },
  note: (number) => noteCallSettings({ [column]: number }),
})

/** The field for the people who are mailed about calls. */
export const mailedField = (userId: string): TypedField<CallSettings['summaries_to']> => ({
  name: `${userId}:summaries_to`,
  label: 'Who is emailed',
  place: 'settings',
  text: (addresses) => addresses.join('\n'),
  parse: parseAddresses,
  save: (change) => saveOver('call_settings', userId, 'summaries_to', change),
  note: (summaries_to) => noteCallSettings({ summaries_to }),
})
