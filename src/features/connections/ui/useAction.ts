import { useState } from 'react'

/** What is said if the server did not answer. */
export const notDone = 'Not done. Check your connection and try again.'

/**
 * Runs one action at a time, such as a test or a removal, and keeps what came of it in words.
 * @param onChange is called after each
 */
export function useAction(onChange: () => void) {
  const [outcome, setOutcome] = useState('')
  const [isBusy, setBusy] = useState(false)
  async function run(act: () => Promise<string>): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setOutcome(await act().catch(() => notDone))
    setBusy(false)
    onChange()
  }
  return { outcome, setOutcome, isBusy, run }
}
