import { useEffect } from 'react'
import { useStore } from '@nanostores/react'
import { minutePackage, priceAmount } from '#plans/domain/plans.ts'
import {
  $callSettings,
  changeCallSettings,
  loadCallSettings,
} from '#telephony/browser/call-settings-store.ts'
import type { CallSettings } from '#telephony/domain/call-settings.ts'
import { LimitPolicyField } from './LimitPolicyField.tsx'
import { UnsavedCallSettings } from './UnsavedCallSettings.tsx'

const { minutes } = minutePackage

/** Reads what happens to calls once the minutes are used up, and lets the customer change it. */
export function useLimitPolicy(userId: string) {
  const calls = useStore($callSettings)
  useEffect(() => {
    void loadCallSettings(userId)
  }, [userId])
  const settings = calls.status === 'ready' ? calls.settings : undefined
  return {
    hasFailed: calls.status === 'failed',
    load: () => loadCallSettings(userId),
    field: (
      <>
        {settings && (
          <LimitPolicyField settings={settings} save={(change) => void changeCallSettings(change)} />
        )}
        <UnsavedCallSettings />
      </>
    ),
    words: (cappedAt: number | null) => settings && wordsOf(settings, cappedAt),
    takeMessages:
      settings && settings.limit_policy !== 'message'
        ? () => void changeCallSettings({ limit_policy: 'message' })
        : undefined,
  }
}

/** Says what happens to calls now that the minutes are used up. */
function wordsOf(
  { limit_policy: policy, fallback_number: fallback }: CallSettings,
  cappedAt: number | null,
): string {
  if (policy === 'message') return 'Your agent takes messages now.'
  if (policy === 'hand_over')
    return fallback
      ? 'Calls are handed over now.'
      : 'Calls are handed over now, if you have named somebody. If not, your agent takes messages.'
  return cappedAt === null
    ? `Your agent goes on answering, with packages of ${minutes} minutes up to your cap.`
    : `Your agent takes messages now: another package would exceed the ${priceAmount(cappedAt)} that packages may cost in this period.`
}
