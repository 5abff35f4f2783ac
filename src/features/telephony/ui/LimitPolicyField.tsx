import { minutePackage, priceAmount } from '#plans/domain/plans.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import type { CallSettings } from '#telephony/domain/call-settings.ts'

interface Props {
  settings: CallSettings
  save: (changes: Pick<CallSettings, 'limit_policy'>) => void
}

const { minutes, cents } = minutePackage

/** What happens to calls once the minutes are used up. */
export const LimitPolicyField = ({ settings, save }: Props) => (
  <SelectInput
    label="Once your minutes are used up"
    value={settings.limit_policy}
    options={[
      ['message', 'Take a message'],
      ['answer', 'Keep answering, with packages'],
      ['hand_over', 'Hand over to the fallback number'],
    ]}
    hint={hintOf(settings)}
    onChange={(limit_policy) => save({ limit_policy })}
  />
)

function hintOf({ limit_policy: policy, fallback_number: fallback }: CallSettings): string | undefined {
  if (policy === 'answer')
    return `Each call that needs it adds ${minutes} minutes for ${priceAmount(cents)} to your next invoice, up to your spending limit. Beyond it your agent takes a message.`
  if (policy === 'hand_over' && fallback === null)
    return 'Without a fallback number, calls go to the number that your agent transfers to. Without either, your agent takes a message.'
  return undefined
}
