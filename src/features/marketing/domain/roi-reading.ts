import { dotField } from '#platform/domain/drawing.ts'
import { planChoice } from '#plans/domain/plan-choice.ts'
import { exactPrice, minutesLabel, minutesPerDot, wholePrice } from '#plans/domain/plans.ts'
import { calculateRoi, serializeRoi, type Roi, type RoiInputs } from './roi.ts'
import { calculatorAt, routes } from '#platform/domain/routes.ts'

const dots = 100

/** "60", "4.5": a count of calls, to a tenth. */
const count = (calls: number): string => calls.toLocaleString('en-US', { maximumFractionDigits: 1 })
/** To the dollar, with a true minus, and none before nothing. */
const signed = (cents: number): string => `${cents <= -50 ? '−' : ''}${wholePrice(Math.abs(cents))}`

/** What the calculator says of a result, by the place where it is said. */
export function roiReading(roi: Roi) {
  const { plan, minutes, lostCents, differenceCents: difference, callCents } = roi
  return {
    label: difference === null ? 'Lost calls cost, each month' : 'Difference, each month',
    figure: signed(difference ?? lostCents),
    verdict: verdict(roi),
    plan: `Recommended: ${plan.name}`,
    minutes:
      `Lit: ${count(minutes)} minutes a month. ${plan.name} has ${minutesLabel(plan)}. One dot is ${minutesPerDot} ` +
      `minutes${minutes > dots * minutesPerDot ? `; the field ends at ${count(dots * minutesPerDot)}` : ''}.`,
    missed: count(roi.missed),
    lost: count(roi.lost),
    cost: wholePrice(lostCents),
    price: plan.priceCents === null ? 'By volume' : signed(-plan.priceCents),
    priceOf: `${plan.name}, a month`,
    call: callCents === null ? 'By volume' : exactPrice(callCents),
  }
}

function verdict({ plan, differenceCents: difference }: Roi): string {
  if (difference === null) return `${plan.name} is priced by volume: hold its price against this figure.`
  if (Math.abs(difference) < 50) return `At these numbers ${plan.name} costs what it brings.`
  const amount = wholePrice(Math.abs(difference))
  return difference < 0
    ? `At these numbers ${plan.name} costs ${amount} a month more than it brings.`
    : `At these numbers lost calls cost ${amount} a month more than ${plan.name} does.`
}

/** Paths on the field of a plan card: the plan's dots, and of these the used ones. A minute begun lights its dot. */
export const roiDots = ({ plan, minutes }: Roi) => ({
  included: dotField(plan.minutes / minutesPerDot).lit,
  used: dotField(Math.ceil(minutes / minutesPerDot)).lit,
})

/** The button below the result, by where it leads: to buying the plan, or to the plans with these numbers. */
export const roiAction = {
  checkout: (inputs: RoiInputs) => planChoice(calculateRoi(inputs).plan),
  pricing: (inputs: RoiInputs) => ({
    href: calculatorAt(routes.pricing, serializeRoi(inputs)),
    action: 'Compare the plans',
  }),
}
export type RoiAction = keyof typeof roiAction
