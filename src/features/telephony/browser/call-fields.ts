import { saveOver } from '#platform/browser/save-over.ts'
import type { TypedField } from '#platform/browser/typed-fields.ts'
import { parseAddresses, parsePhoneNumber, type CallSettings } from '#telephony/domain/call-settings.ts'
import { noteCallSettings } from './call-settings-store.ts'
import { updateMyAgent } from './my-agent.ts'

/** Returns a field for a phone number. `others` are the numbers that it must not be. */
const phoneField = (
  userId: string,
  column: 'fallback_number' | 'own_number',
  label: string,
  others: readonly (string | null)[],
): TypedField<string | null> => ({
  name: `${userId}:${column}`,
  label,
  text: (number) => number ?? '',
  parse: (typed) => parsePhoneNumber(typed, others),
  async save(change) {
    const outcome = await saveOver('call_settings', userId, column, change)
    // The scheduled function does the same within a minute.
    if (outcome.kind === 'saved') void updateMyAgent().catch(() => undefined)
    return outcome
  },
  note: (number) => noteCallSettings({ [column]: number }),
})

/** The field for the number that rings if the agent cannot answer. */
export const fallbackField = (userId: string, others: readonly (string | null)[]) =>
  phoneField(userId, 'fallback_number', 'Fallback number', others)

/** The field for the customer's own number. */
export const ownNumberField = (userId: string, others: readonly (string | null)[]) =>
  phoneField(userId, 'own_number', 'Your own number', others)

/** The field for the people who are mailed about calls. */
export const mailedField = (userId: string): TypedField<CallSettings['summaries_to']> => ({
  name: `${userId}:summaries_to`,
  label: 'Who is mailed',
  text: (addresses) => addresses.join('\n'),
  parse: parseAddresses,
  save: (change) => saveOver('call_settings', userId, 'summaries_to', change),
  note: (summaries_to) => noteCallSettings({ summaries_to }),
})
