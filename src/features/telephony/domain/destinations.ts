import { isCostly } from '#agent/domain/phone.ts'
import type { RingFacts } from './ring.ts'

type Destinations = Pick<RingFacts, 'fallback_number' | 'knowledge' | 'loops'>

/**
 * Adds to the numbers that are not called those that cost too much. The field refuses them too, but the database does not
 * know the tables of all countries, and a customer can write to it without our page.
 */
export function withoutCostly<Facts extends Destinations>(facts: Facts): Facts {
  const chosen = [facts.fallback_number, facts.knowledge.transfer.number]
  const costly = chosen.filter((number) => number !== null && isCostly(number)) as string[]
  return { ...facts, loops: [...facts.loops, ...costly] }
}
