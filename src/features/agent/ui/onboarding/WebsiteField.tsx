import { useEffect } from 'react'
import { useStore } from '@nanostores/react'
import { $website, openWebsite, readWebsite } from '#agent/browser/website.ts'
import { TextInput } from '#platform/ui/fields/TextInput.tsx'

const hints = {
  none: 'Optional. We read the page while you go on, and your portal suggests what your agent can learn from it.',
  reading: 'Reading it. You can go on.',
  read: 'Read. Your portal suggests what your agent can learn from it; nothing is taken over before you add it.',
} as const

/** The field for the customer's website, which is read once it is left. */
export function WebsiteField({ userId }: { userId: string }) {
  const { address, status } = useStore($website)
  useEffect(() => openWebsite(userId), [userId])
  return (
    <TextInput
      label="Your website"
      hint={typeof status === 'string' ? hints[status] : hints.none}
      hintAttributes={{ role: 'status' }}
      problem={typeof status === 'string' ? undefined : status.problem}
      inputMode="url"
      autoComplete="url"
      placeholder="www.example.com"
      longest={2_000}
      value={address}
      onChange={(typed) => $website.set({ address: typed, status: 'none' })}
      onBlur={() => void readWebsite(userId)}
    />
  )
}
