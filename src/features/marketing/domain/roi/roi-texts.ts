import { dotField } from '#platform/domain/drawing.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { exactPrice, minutesLabel, minutesPerDot, wholePrice, planChoice } from '#plans/domain/plans.ts'
import { calculateRoi, serializeRoi, type Roi, type RoiInputs } from './roi.ts'
import { calculatorUrl, routes } from '#platform/domain/routes.ts'

const dots = 100

/** Writes an expected number of calls in whole calls: "60", "about 11" for 10.8, "fewer than 1" for 0.4. */
function wholeCalls(value: number): string {
  if (Number.isInteger(value)) return grouped(value)
  return value < 1 ? 'fewer than 1' : `about ${grouped(Math.round(value))}`
}
/** Writes an amount in whole dollars. A negative amount has a minus sign (U+2212), but $0 has none. */
const signed = (cents: number): string => `${cents <= -50 ? '−' : ''}${wholePrice(Math.abs(cents))}`

/** Returns the texts of a result, by the `data-roi` names of the elements that show them. */
export function roiTexts(roi: Roi) {
  const { plan, minutes, lostCents, differenceCents: difference, callCents } = roi
  return {
    label: difference === null ? 'Lost bookings, each month' : 'Difference, each month',
    figure: signed(difference ?? lostCents),
    verdict: verdict(roi),
    plan: `Recommended: ${plan.name}`,
    minutes:
      `Lit: your ${grouped(minutes)} minutes a month. ${plan.name} includes ${minutesLabel(plan)}. One dot is ` +
      `${minutesPerDot} minutes${minutes > dots * minutesPerDot ? `; the dots stop at ${grouped(dots * minutesPerDot)}` : ''}.`,
    missed: wholeCalls(roi.missed),
    lost: wholeCalls(roi.lost),
    cost: wholePrice(lostCents),
    price: plan.priceCents === null ? 'By volume' : signed(-plan.priceCents),
    priceOf: `${plan.name}, a month`,
    call: callCents === null ? 'By volume' : exactPrice(callCents),
  }
}

function verdict({ plan, differenceCents: difference }: Roi): string {
  if (difference === null) return `${plan.name} is priced by volume: compare its price with this figure.`
  if (Math.abs(difference) < 50) return `At these numbers, ${plan.name} costs as much as it saves.`
  const amount = wholePrice(Math.abs(difference))
  return difference < 0
    ? `At these numbers, ${plan.name} costs ${amount} a month more than it saves.`
    : `At these numbers, lost bookings cost ${amount} a month more than ${plan.name} does.`
}

/**
 * Returns the paths of the dot field: the plan's dots, and those that are used. A dot counts as used from its first
 * minute.
 */
export const roiDots = ({ plan, minutes }: Roi) => ({
  included: dotField(plan.minutes / minutesPerDot).lit,
  used: dotField(Math.ceil(minutes / minutesPerDot)).lit,
})

/**
 * The button below the result, by its target: the purchase of the plan, or the plans, with the visitor's numbers in
 * the URL.
 */
export const roiAction = {
  checkout: (inputs: RoiInputs) => planChoice(calculateRoi(inputs).plan),
  pricing: (inputs: RoiInputs) => ({
    href: calculatorUrl(routes.pricing, serializeRoi(inputs)),
    action: 'Compare the plans',
  }),
}
export type RoiAction = keyof typeof roiAction
