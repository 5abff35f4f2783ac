import { useEffect, useState } from 'react'
import { useStore } from '@nanostores/react'
import { readMinutes } from '#billing/browser/packages.ts'
import { atLimitWords } from '#billing/domain/minutes/at-limit.ts'
import { $myAgent, readMyAgent, updateMyAgent } from '#telephony/browser/my-agent.ts'
import type { MyAgent } from '#telephony/domain/agents/my-agent.ts'

/** How often the state is read until the first call has come, in milliseconds. */
const interval = 10_000

/** Returns whether the agent's first week is over: it is live, and has answered a call. */
export const isSettled = (agent: MyAgent): boolean => agent.state === 'live' && agent.has_called

/**
 * Reads the state of the customer's agent until its first week is over, and what happens to calls.
 * @param isUsedUp whether the minutes of the period are used up
 * @returns the agent once all is known that is said of it
 */
export function useMyAgent(isUsedUp: boolean): { agent: MyAgent | null; atLimit: string | undefined } {
  const agent = useStore($myAgent)
  const isOver = agent !== null && isSettled(agent)
  useEffect(() => {
    const first = async (): Promise<void> => {
      if ((await readMyAgent())?.state === 'live') return
      await updateMyAgent()
      await readMyAgent()
    }
    void first()
  }, [])
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void readMyAgent()
    }, interval)
    return () => clearInterval(timer)
  }, [isOver])
  const [atLimit, setAtLimit] = useState<string>()
  useEffect(() => {
    if (!isUsedUp) return
    void readMinutes().then((read) =>
      setAtLimit(read ? atLimitWords(read.at_limit) : 'Plan and billing says what happens to calls now.'),
    )
  }, [isUsedUp])
  return isUsedUp ? { agent: atLimit === undefined ? null : agent, atLimit } : { agent, atLimit: undefined }
}
