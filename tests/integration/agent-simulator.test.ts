import { expect, test } from 'vitest'
import { runAgentHistory, type AgentHistory } from '../simulator/agents.ts'
import { captureLog } from '../support/log.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

// The nightly simulation has more of them.
test('agents are made, changed and deleted with faults at every step: one is left for each living account', async () => {
  captureLog()
  const broken: AgentHistory[] = []
  for (let seed = 1; seed <= 8; seed++) {
    const history = await runAgentHistory(world, seed)
    if (history.broken.length > 0) broken.push(history)
  }
  expect(broken).toEqual([])
})
