import { useEffect } from 'react'
import { useStore } from '@nanostores/react'
import { atLimitWords, type CallsAtLimit } from '#billing/domain/minutes/at-limit.ts'
import {
  $callSettings,
  changeCallSettings,
  loadCallSettings,
} from '#telephony/browser/call-settings-store.ts'
import { LimitPolicyField } from './LimitPolicyField.tsx'
import { UnsavedCallSettings } from './UnsavedCallSettings.tsx'

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
    words: (atLimit: CallsAtLimit) => settings && atLimitWords({ ...atLimit, policy: settings.limit_policy }),
    takeMessages:
      settings && settings.limit_policy !== 'message'
        ? () => void changeCallSettings({ limit_policy: 'message' })
        : undefined,
  }
}
