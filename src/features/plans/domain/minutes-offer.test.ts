import { expect, test } from 'vitest'
import { cheapestFor, offerName } from './minutes-offer.ts'
import { minutePackage, planById, plans } from './plans.ts'

const { minutes: M, cents: P } = minutePackage
const payable = plans.flatMap(({ id, priceCents, minutes }) =>
  priceCents === null ? [] : [{ id, cents: priceCents, minutes }],
)
const [smallest] = payable

test('nothing costs less: not another plan, with as many packages as a new customer can buy', () => {
  for (let minutes = 0; minutes <= 2 * payable.at(-1)!.minutes; minutes += 7) {
    const offer = cheapestFor(minutes)
    const ways = payable.flatMap(({ cents, minutes: included }) => {
      let packages = 0
      while (included + packages * M < minutes) packages++
      return packages * P <= cents ? [cents + packages * P] : []
    })
    expect([minutes, offer.cents]).toEqual([minutes, ways.length > 0 ? Math.min(...ways) : null])
    expect(offer.plan.priceCents === null || offer.minutes >= minutes).toBe(true)
  }
})

test('a few minutes more than the smallest plan has are packages, not the next plan', () => {
  expect(cheapestFor(smallest!.minutes)).toMatchObject({ packages: 0, cents: smallest!.cents })
  const offer = cheapestFor(smallest!.minutes + M + 1)
  expect(offer).toEqual({
    plan: planById(smallest!.id),
    packages: 2,
    minutes: smallest!.minutes + 2 * M,
    cents: smallest!.cents + 2 * P,
  })
  expect(offerName(offer)).toBe(`${planById(smallest!.id).name} with 2 packages`)
  expect(offerName(cheapestFor(smallest!.minutes + 1))).toMatch(/ with 1 package$/)
})
