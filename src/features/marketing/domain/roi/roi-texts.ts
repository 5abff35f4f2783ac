import { dotField } from '#platform/domain/drawing.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { offerName } from '#plans/domain/minutes-offer.ts'
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
  const { offer, minutes, lostCents, differenceCents: difference, callCents } = roi
  const name = offerName(offer)
  const included = offer.packages === 0 ? minutesLabel(offer.plan) : grouped(offer.minutes)
  return {
    label: difference === null ? 'Lost bookings, each month' : 'Difference, each month',
    figure: signed(difference ?? lostCents),
    verdict: verdict(roi),
    plan: `Recommended: ${name}`,
    minutes:
      `Lit: your ${grouped(minutes)} minutes a month. ${name} includes ${included}. One dot is ` +
      `${minutesPerDot} minutes${minutes > dots * minutesPerDot ? `; the dots stop at ${grouped(dots * minutesPerDot)}` : ''}.`,
    missed: wholeCalls(roi.missed),
    lost: wholeCalls(roi.lost),
    cost: wholePrice(lostCents),
    price: offer.cents === null ? 'By volume' : signed(-offer.cents),
    priceOf: `${name}, a month`,
    call: callCents === null ? 'By volume' : exactPrice(callCents),
  }
}

function verdict({ offer, differenceCents: difference }: Roi): string {
  const name = offerName(offer)
  if (difference === null) return `${name} is priced by volume: compare its price with this figure.`
  if (Math.abs(difference) < 50) return `At these numbers, ${name} costs as much as it saves.`
  const amount = wholePrice(Math.abs(difference))
  return difference < 0
    ? `At these numbers, ${name} costs ${amount} a month more than it saves.`
    : `At these numbers, lost bookings cost ${amount} a month more than ${name} does.`
}

/**
 * Returns the paths of the dot field: the dots of the plan and its packages, and those that are used. A dot counts as used from its first
 * minute.
 */
export const roiDots = ({ offer, minutes }: Roi) => ({
  included: dotField(offer.minutes / minutesPerDot).lit,
  used: dotField(Math.ceil(minutes / minutesPerDot)).lit,
})

/**
 * The button below the result, by its target: the purchase of the plan, or the plans, with the visitor's numbers in
 * the URL.
 */
export const roiAction = {
  checkout: (inputs: RoiInputs) => planChoice(calculateRoi(inputs).offer.plan),
  pricing: (inputs: RoiInputs) => ({
    href: calculatorUrl(routes.pricing, serializeRoi(inputs)),
    action: 'Compare the plans',
  }),
}
export type RoiAction = keyof typeof roiAction
