import { grouped } from '#platform/domain/numbers.ts'
import { planForMinutes, type Plan } from '#plans/domain/plans.ts'

/**
 * The calculator: what lost calls cost a month, next to the cheapest plan that answers every call. Plain arithmetic
 * on the visitor's own numbers; the page writes its assumptions out.
 */
export interface RoiInputs {
  /** Calls that come in on a day. */
  calls: number
  /** Minutes a call, to a tenth. */
  minutes: number
  /** Per cent of the calls that nobody answers today. */
  missed: number
  /** Per cent of the missed calls that would have become business. */
  lost: number
  /** What one lost call costs, in whole US dollars. */
  cost: number
}
export type RoiField = keyof RoiInputs

/** Days a month on which calls come in; one of the assumptions. */
export const roiDays = 30

/** What a number may be. Faders end earlier (`reach`), so that a usual number is easy to hit. */
export const roiLimits: Record<RoiField, { min: number; max: number; reach: number; decimals: 0 | 1 }> = {
  calls: { min: 1, max: 1000, reach: 100, decimals: 0 },
  minutes: { min: 0.1, max: 60, reach: 10, decimals: 1 },
  missed: { min: 0, max: 100, reach: 100, decimals: 0 },
  lost: { min: 0, max: 100, reach: 100, decimals: 0 },
  cost: { min: 0, max: 10_000, reach: 500, decimals: 0 },
}
export const roiFields = Object.keys(roiLimits) as RoiField[]

/** The worked example that the page starts with: round, modest numbers, taken from nobody's business. */
export const roiExample: RoiInputs = { calls: 10, minutes: 2, missed: 20, lost: 25, cost: 80 }

/** The nearest number that the field allows; NaN stays NaN. */
function allowed(field: RoiField, value: number): number {
  const { min, max, decimals } = roiLimits[field]
  return Number(Math.min(max, Math.max(min, value)).toFixed(decimals))
}

/** Numbers of an address: the nearest allowed ones, the example's where there is none. The first of several counts. */
export function parseRoi(query: URLSearchParams, example = roiExample): RoiInputs {
  const inputs = { ...example }
  for (const field of roiFields) {
    const value = allowed(field, parseFloat(query.get(field) ?? ''))
    if (!Number.isNaN(value)) inputs[field] = value
  }
  return inputs
}

/** The query with these numbers in it and its other parameters as they were; the example's numbers are left out. */
export function serializeRoi(inputs: RoiInputs, query = new URLSearchParams(), example = roiExample) {
  const result = new URLSearchParams(query)
  for (const field of roiFields) {
    if (inputs[field] === example[field]) result.delete(field)
    else result.set(field, String(inputs[field]))
  }
  return result
}

/** A number as people type it ("$1,200", "25 %"); undefined for what the field does not allow. */
export function typedNumber(field: RoiField, text: string): number | undefined {
  const digits = text.replace(/^\s*\$|[%\s]+$|,(?=\d{3}\b)/g, '').trim()
  const value = /^[\d.]+$/.test(digits) ? Number(digits) : NaN
  return allowed(field, value) === value ? value : undefined
}

/** "a whole number from 1 to 1,000": what the field allows. */
export function roiRule(field: RoiField): string {
  const { min, max, decimals } = roiLimits[field]
  const range = `from ${min} to ${grouped(max)}`
  return decimals === 0 ? `a whole number ${range}` : `a number ${range}, with at most one decimal`
}

export interface Roi {
  /** Calls a month. */
  calls: number
  /** Minutes a month. */
  minutes: number
  /** The cheapest plan with so many minutes; beyond all of them the one that is priced by volume. */
  plan: Plan
  /** Calls a month that are missed and, of these, lost; expected values, so not always whole. */
  missed: number
  lost: number
  /** What the lost calls cost a month, in US cents. */
  lostCents: number
  /** What the lost calls cost beyond the plan, in US cents a month; null where the price is agreed by contract. */
  differenceCents: number | null
  /** The plan's price for each call, in US cents; null like the difference. */
  callCents: number | null
}

export function calculateRoi(inputs: RoiInputs): Roi {
  const calls = inputs.calls * roiDays
  const minutes = Math.round(calls * inputs.minutes)
  const plan = planForMinutes(minutes)
  const missed = (calls * inputs.missed) / 100
  const lost = (missed * inputs.lost) / 100
  const lostCents = Math.round((calls * inputs.missed * inputs.lost * inputs.cost) / 100)
  const { priceCents } = plan
  return {
    calls,
    minutes,
    plan,
    missed,
    lost,
    lostCents,
    differenceCents: priceCents === null ? null : lostCents - priceCents,
    callCents: priceCents === null ? null : Math.round(priceCents / calls),
  }
}
