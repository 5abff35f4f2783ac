import type { Stripe } from 'stripe'
import { malformed, missing } from './errors.ts'

interface PageParams {
  limit?: number
  starting_after?: string
}

/**
 * Returns a page of a list, newest first, like all lists of the API.
 * @param oldestFirst the objects in the order of their creation
 */
export function page<T extends { id: string }>(
  oldestFirst: readonly T[],
  params: PageParams,
  url: string,
): Stripe.ApiList<T> {
  const { limit = 10, starting_after: after } = params
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw malformed('Invalid integer: must be between 1 and 100', { param: 'limit' })
  }
  const all = oldestFirst.toReversed()
  const last = all.findIndex((one) => one.id === after)
  if (after !== undefined && last < 0) throw missing('object', after, 'starting_after')
  const data = all.slice(last + 1, last + 1 + limit)
  return { object: 'list', data, has_more: all.length > last + 1 + limit, url }
}

/** Returns a list inside another object, unpaged. */
export const embedded = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
})

/** The number of lines that an invoice shows of itself. */
const linesShown = 10

/** Returns an answer in which every invoice has its first ten lines: the others are listed on their own. */
export function limitInvoiceLines<T>(answer: T): T {
  if (Array.isArray(answer)) return answer.map((one: unknown) => limitInvoiceLines(one)) as T
  if (typeof answer !== 'object' || answer === null) return answer
  const shown = Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, limitInvoiceLines(value as unknown)]),
  )
  const { object, lines } = shown as { object?: unknown; lines?: Stripe.ApiList<unknown> }
  if (object === 'invoice' && lines && lines.data.length > linesShown) {
    shown.lines = { ...lines, data: lines.data.slice(0, linesShown), has_more: true }
  }
  return shown as T
}

type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number } | undefined

/** Reads a range such as `created`; the answer tells whether a time is in it. */
export function rangeFilter(range: Range): (time: number) => boolean {
  if (typeof range === 'number') return (time) => time === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range ?? {}
  return (time) => time > gt && time >= gte && time < lt && time <= lte
}
