import { grouped } from '#platform/domain/text/numbers.ts'
import { cheapestFor, type MinutesOffer } from '#plans/domain/minutes-offer.ts'
import { currencySign } from '#plans/domain/plans.ts'

/**
 * The visitor's numbers. The calculator compares the monthly cost of lost calls with the price of the cheapest plan,
 * with packages if need be, that answers every call. It is plain arithmetic, and the page states its assumptions.
 */
export interface RoiInputs {
  /** Incoming calls per day. */
  calls: number
  /** Minutes per call, with at most one decimal. */
  minutes: number
  /** The percentage of calls that are missed today. */
  missed: number
  /** The percentage of missed calls that would have become business. */
  lost: number
  /** The cost of one lost call, in whole units of the currency. */
  cost: number
}
export type RoiField = keyof RoiInputs

/** The days per month with calls; one of the assumptions. */
export const roiDays = 30

/** The limits of each number. A fader's maximum (`reach`) may be lower, so that usual numbers are easy to set. */
export const roiLimits: Record<RoiField, { min: number; max: number; reach: number; decimals: 0 | 1 }> = {
  calls: { min: 1, max: 1000, reach: 100, decimals: 0 },
  minutes: { min: 0.1, max: 60, reach: 10, decimals: 1 },
  missed: { min: 0, max: 100, reach: 100, decimals: 0 },
  lost: { min: 0, max: 100, reach: 100, decimals: 0 },
  cost: { min: 0, max: 10_000, reach: 500, decimals: 0 },
}
export const roiFields = Object.keys(roiLimits) as RoiField[]

/** The example that the page starts with: round, modest numbers, not those of a real business. */
export const roiExample: RoiInputs = { calls: 10, minutes: 2, missed: 20, lost: 25, cost: 80 }

/** Returns the nearest number that the field allows; NaN stays NaN. */
function nearestAllowed(field: RoiField, value: number): number {
  const { min, max, decimals } = roiLimits[field]
  return Number(Math.min(max, Math.max(min, value)).toFixed(decimals))
}

/**
 * Reads the numbers of a URL: the nearest allowed ones, or the example's if one is missing. The first of several
 * values counts.
 */
export function parseRoi(query: URLSearchParams, example = roiExample): RoiInputs {
  const inputs = { ...example }
  for (const field of roiFields) {
    const value = nearestAllowed(field, parseFloat(query.get(field) ?? ''))
    if (!Number.isNaN(value)) inputs[field] = value
  }
  return inputs
}

/** Returns the query with these numbers. Other parameters are kept; numbers equal to the example's are left out. */
export function serializeRoi(inputs: RoiInputs, query = new URLSearchParams(), example = roiExample) {
  const result = new URLSearchParams(query)
  for (const field of roiFields) {
    if (inputs[field] === example[field]) result.delete(field)
    else result.set(field, String(inputs[field]))
  }
  return result
}

/** Parses a number as people type it ("$1,200", "25 %"). Returns undefined if the field does not allow it. */
export function parseNumber(field: RoiField, text: string): number | undefined {
  const typed = text.trim()
  const number = typed.startsWith(currencySign) ? typed.slice(currencySign.length) : typed
  const digits = number.replace(/[%\s]+$|,(?=\d{3}\b)/g, '').trim()
  const value = /^[\d.]+$/.test(digits) ? Number(digits) : NaN
  return nearestAllowed(field, value) === value ? value : undefined
}

/** Returns the rule of a field in words: "a whole number from 1 to 1,000". */
export function roiRule(field: RoiField): string {
  const { min, max, decimals } = roiLimits[field]
  const range = `from ${min} to ${grouped(max)}`
  return decimals === 0 ? `a whole number ${range}` : `a number ${range}, with at most one decimal`
}

export interface Roi {
  /** Calls per month. */
  calls: number
  /** Minutes per month. */
  minutes: number
  /** The cheapest way to these minutes. */
  offer: MinutesOffer
  /** Missed calls per month: an expected value, so not always whole. */
  missed: number
  /** Lost calls per month: an expected value, so not always whole. */
  lost: number
  /** The monthly cost of the lost calls, in US cents. */
  lostCents: number
  /**
   * The monthly cost of the lost calls minus the offer's price, in US cents; null if the price is agreed by contract.
   */
  differenceCents: number | null
  /** The offer's price per call, in US cents; null if the price is agreed by contract. */
  callCents: number | null
}

export function calculateRoi(inputs: RoiInputs): Roi {
  const calls = inputs.calls * roiDays
  const minutes = Math.round(calls * inputs.minutes)
  const offer = cheapestFor(minutes)
  const missed = (calls * inputs.missed) / 100
  const lost = (missed * inputs.lost) / 100
  const lostCents = Math.round((calls * inputs.missed * inputs.lost * inputs.cost) / 100)
  return {
    calls,
    minutes,
    offer,
    missed,
    lost,
    lostCents,
    differenceCents: offer.cents === null ? null : lostCents - offer.cents,
    callCents: offer.cents === null ? null : Math.round(offer.cents / calls),
  }
}
