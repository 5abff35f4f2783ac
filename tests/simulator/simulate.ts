import { customerSteps } from './customer-steps.ts'
import { atOnce, begin, collect, newHistory, wait, type History } from './history.ts'
import { brokenInTheEnd, brokenNow, leftADayLater, leftUnpaid } from './invariants.ts'
import { Random } from './random.ts'
import { openShop, type Shop } from './shop.ts'
import { becomeCustomer, drain, steps } from './steps.ts'

export interface Violation {
  /** Repeats the history: `--histories 1 --seed …`. */
  seed: number
  broken: string[]
  log: string[]
}

interface Summary {
  histories: number
  steps: number
  charges: number
  /** How often each kind of step had each result. */
  results: Map<string, number>
  violations: Violation[]
}

interface Options {
  histories: number
  /** The seed of the first history; it increases by one for each further history. */
  seed: number
  /** How many steps of a history are under way at the same time, at most. */
  atOnce?: number
  progress?: (summary: Summary) => void
  /** Receives each violation as soon as it is found, and once more if a shorter history violates an invariant too. */
  report?: (violation: Violation) => void
}

/** Runs random purchase histories against the real functions, the real database and the Stripe stand-in. */
export async function simulate(options: Options): Promise<Summary> {
  const { histories, seed, progress } = options
  const summary: Summary = { histories: 0, steps: 0, charges: 0, results: new Map(), violations: [] }
  const shop = await openShop()
  try {
    while (summary.histories < histories) {
      await addHistory(shop, seed + summary.histories, options, summary)
      progress?.(summary)
    }
  } finally {
    await shop.close()
  }
  return summary
}

async function addHistory(
  shop: Shop,
  seed: number,
  { atOnce = 1, report }: Options,
  summary: Summary,
): Promise<void> {
  const length = new Random(seed).between(4, 22)
  const run = await runHistory(shop, seed, length, atOnce)
  summary.histories++
  summary.steps += run.history.log.length
  summary.charges += run.charges
  for (const line of run.history.log) {
    const kind = line.replace(/ \(dies .*\)/, '').replace(/\d+/g, 'n')
    summary.results.set(kind, (summary.results.get(kind) ?? 0) + 1)
  }
  if (run.broken.length === 0) return
  const violationOf = ({ broken, history }: Run): Violation => ({ seed, broken, log: history.log })
  report?.(violationOf(run))
  // The first few are logged as short as they can be; of the rest it is enough to know them.
  const shown = summary.violations.length < 3 ? await shortest(shop, seed, length, atOnce, run) : run
  if (shown !== run) report?.(violationOf(shown))
  summary.violations.push(violationOf(shown))
}

interface Run {
  history: History
  broken: string[]
  charges: number
}

async function runHistory(shop: Shop, seed: number, length: number, most: number): Promise<Run> {
  await shop.empty()
  const random = new Random(seed)
  random.next()
  const history = newHistory(shop, `history-${seed}@example.com`, random)
  let broken: string[] = []
  try {
    await begin(history)
    const isCustomer = random.chance(0.7)
    if (isCustomer) await becomeCustomer(history)
    for (let step = 0; step < length && broken.length === 0;) {
      // What is picked follows from the seed alone, before anything runs.
      const count = most > 1 ? random.between(1, most) : 1
      const picked = Array.from({ length: count }, () => pickStep(random, isCustomer))
      step += count
      await atOnce(history, count, (own, nth) => picked[nth]!(own))
      await collect(history)
      broken = await brokenNow(history)
    }
    if (broken.length === 0) {
      await wait(history, 7_200)
      await drain(history)
      // Reconciliation finds and repairs what was left incomplete.
      await shop.invoke('reconcile', {})
      await wait(history, 7_200)
      await shop.invoke('reconcile', {})
      await bill(history)
      await drain(history)
      broken = await brokenInTheEnd(history)
    }
    if (broken.length === 0) {
      await shop.control('clock', { advanceSeconds: 2 * 86_400 })
      await drain(history)
      await wait(history, 3 * 86_400)
      await shop.invoke('remove-unpaid', {})
      await bill(history)
      await drain(history)
      broken = [
        ...(await leftUnpaid(history)),
        ...(await leftADayLater(history)),
        ...(await brokenInTheEnd(history)),
      ]
    }
    if (broken.length === 0 && history.owed) {
      await wait(history, 8 * 86_400)
      broken = await brokenNow(history)
    }
  } catch (error) {
    // PostgreSQL says in the detail which statements a deadlock had.
    const { stack, detail, where } = error as { stack?: unknown; detail?: unknown; where?: unknown }
    broken.push([stack ?? error, detail, where].filter(Boolean).map(String).join('\n'))
  }
  const { data } = (await shop.stripe('GET', 'charges', { limit: '100' })) as { data: { paid: boolean }[] }
  return { history, broken, charges: data.filter(({ paid }) => paid).length }
}

/** Lets the scheduled functions of packages and of dunning run. */
async function bill({ shop }: History): Promise<void> {
  await shop.invoke('bill-packages', {})
  await shop.invoke('send-billing-mails', {})
}

/** A customer does twice as much that only customers do. */
function pickStep(random: Random, isCustomer: boolean): (history: History) => Promise<void> {
  const from = isCustomer && random.chance(0.4) ? customerSteps : steps
  let left = random.next() * from.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, , run] of from) if ((left -= weight) < 0) return run
  return async () => undefined
}

/** Finds the shortest beginning of the history that violates an invariant. */
async function shortest(shop: Shop, seed: number, length: number, atOnce: number, first: Run): Promise<Run> {
  let best = first
  for (let shorter = length - 1; shorter > 0; shorter--) {
    const run = await runHistory(shop, seed, shorter, atOnce)
    if (run.broken.length > 0) best = run
  }
  return best
}
