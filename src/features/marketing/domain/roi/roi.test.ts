import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grouped } from '#platform/domain/text/numbers.ts'
import {
  currencySign,
  exactPrice,
  minutePackage,
  minutesLabel,
  minutesPerDot,
  planById,
  planName,
  plans,
  wholePrice,
} from '#plans/domain/plans.ts'
import { roiAction, roiDots, roiTexts } from './roi-texts.ts'
import {
  calculateRoi,
  parseRoi,
  roiExample,
  roiFields,
  roiLimits,
  serializeRoi,
  parseNumber,
  type RoiField,
  type RoiInputs,
} from './roi.ts'

const [starter, growth, pro] = [planById('starter'), planById('growth'), planById('pro')]
const centsOf = ({ priceCents }: typeof pro): number => priceCents ?? NaN

/** Generates numbers that a field allows. */
const anyOf = (field: RoiField) => {
  const { min, max, decimals } = roiLimits[field]
  const scale = 10 ** decimals
  return fc
    .integer({ min: Math.round(min * scale), max: Math.round(max * scale) })
    .map((steps) => steps / scale)
}
const anyInputs: fc.Arbitrary<RoiInputs> = fc.record({
  calls: anyOf('calls'),
  minutes: anyOf('minutes'),
  missed: anyOf('missed'),
  lost: anyOf('lost'),
  cost: anyOf('cost'),
})
const expectAllowed = (inputs: RoiInputs): void => {
  for (const field of roiFields) {
    const { min, max, decimals } = roiLimits[field]
    expect(inputs[field]).toBeGreaterThanOrEqual(min)
    expect(inputs[field]).toBeLessThanOrEqual(max)
    expect(inputs[field]).toBe(Number(inputs[field].toFixed(decimals)))
  }
}

describe('the address', () => {
  test.each([
    ['', roiExample],
    [
      'calls=40&minutes=3.5&missed=10&lost=5&cost=200',
      { calls: 40, minutes: 3.5, missed: 10, lost: 5, cost: 200 },
    ],
    ['calls=abc&minutes=&missed=%20&lost=NaN&cost=null', roiExample],
    [
      'calls=-3&minutes=-1&missed=-5&lost=-0&cost=-Infinity',
      { calls: 1, minutes: 0.1, missed: 0, lost: 0, cost: 0 },
    ],
    [
      'calls=1e99&minutes=Infinity&missed=101&lost=999&cost=99999999999',
      { calls: 1000, minutes: 60, missed: 100, lost: 100, cost: 10_000 },
    ],
    [
      'calls=12.6&minutes=2.34&missed=20.5&cost=79.5',
      { ...roiExample, calls: 13, minutes: 2.3, missed: 21, cost: 80 },
    ],
    ['calls=30&calls=70', { ...roiExample, calls: 30 }],
    ['calls[]=30&__proto__=1&constructor=2', roiExample],
  ])('"%s" is read as the nearest sensible numbers', (query, expected) => {
    const inputs = parseRoi(new URLSearchParams(query))
    expect(inputs).toEqual(expected)
    expectAllowed(inputs)
  })

  test('whatever it says, the numbers are allowed and the result has no hole in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...roiFields), fc.oneof(fc.string(), fc.double().map(String)))),
        (pairs) => {
          const inputs = parseRoi(new URLSearchParams(pairs))
          expectAllowed(inputs)
          const roi = calculateRoi(inputs)
          expect(JSON.stringify([roiTexts(roi), roiDots(roi)])).not.toMatch(/NaN|undefined|Infinity|null/)
        },
      ),
    )
  })

  test('brings back the numbers that were put into it', () => {
    fc.assert(
      fc.property(anyInputs, anyInputs, (inputs, example) => {
        const query = serializeRoi(inputs, new URLSearchParams(), example)
        expect(parseRoi(new URLSearchParams(query.toString()), example)).toEqual(inputs)
      }),
    )
  })

  test('names what differs from the example, once, and leaves the other parameters alone', () => {
    expect(serializeRoi(roiExample).toString()).toBe('')
    const before = new URLSearchParams('utm_source=mail&calls=1&calls=2&cost=9')
    expect(serializeRoi({ ...roiExample, calls: 25 }, before).toString()).toBe('utm_source=mail&calls=25')
    expect(before.getAll('calls')).toEqual(['1', '2'])
  })
})

describe('what is typed', () => {
  test.each<[RoiField, string, number]>([
    ['calls', '25', 25],
    ['calls', ' 1,000 ', 1000],
    ['minutes', '2.5', 2.5],
    ['minutes', '.5', 0.5],
    ['minutes', '3.', 3],
    ['missed', '20 %', 20],
    ['cost', `${currencySign}1,200`, 1200],
    ['cost', '0', 0],
  ])('%s: "%s" is understood', (field, text, value) => expect(parseNumber(field, text)).toBe(value))

  test.each<[RoiField, string]>([
    ['calls', ''],
    ['calls', ' '],
    ['calls', 'ten'],
    ['calls', '0'],
    ['calls', '-5'],
    ['calls', '2.5'],
    ['calls', '1001'],
    ['calls', '1e3'],
    ['calls', '0x10'],
    ['minutes', '2,5'],
    ['minutes', '2.55'],
    ['minutes', '1.2.3'],
    ['minutes', '.'],
    ['minutes', '0'],
    ['missed', '101'],
    ['cost', currencySign],
    ['cost', '12 000 dollars'],
  ])('%s: "%s" is not', (field, text) => expect(parseNumber(field, text)).toBeUndefined())

  test('every allowed number can be typed', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        for (const field of roiFields) expect(parseNumber(field, String(inputs[field]))).toBe(inputs[field])
      }),
    )
  })
})

describe('the result', () => {
  test('of the example, reckoned by hand', () => {
    // 10 calls on 30 days, 2 minutes each. A fifth of them is missed; a quarter of those is lost, at 80 dollars each.
    const roi = calculateRoi({ calls: 10, minutes: 2, missed: 20, lost: 25, cost: 80 })
    const lostCents = 15 * 80 * 100
    expect(roi).toEqual({
      calls: 300,
      minutes: 600,
      offer: { plan: growth, packages: 0, minutes: growth.minutes, cents: growth.priceCents },
      missed: 60,
      lost: 15,
      lostCents,
      differenceCents: lostCents - centsOf(growth),
      callCents: Math.round(centsOf(growth) / 300),
    })
  })

  test.each(plans.map((plan) => [plan.name, plan.minutes, plan] as const))(
    '%s is recommended up to its last minute',
    (_, minutes, plan) => {
      expect(calculateRoi({ ...roiExample, calls: minutes / 30, minutes: 1 }).offer).toMatchObject({
        plan,
        packages: 0,
      })
    },
  )

  test('a call a day more than a plan holds takes a package', () => {
    for (const plan of [starter, growth, pro]) {
      const { offer } = calculateRoi({ ...roiExample, calls: plan.minutes / 30 + 1, minutes: 1 })
      expect(offer).toMatchObject({ plan, packages: 1, cents: centsOf(plan) + minutePackage.cents })
    }
  })

  test('is always the cheapest plan whose minutes suffice, or a cheaper one with packages', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { offer, minutes } = calculateRoi(inputs)
        const enough = plans.filter((each) => each.priceCents !== null && each.minutes >= minutes)
        if (offer.cents === null) expect(enough).toEqual([])
        else {
          expect(offer.cents).toBeLessThanOrEqual(Math.min(...enough.map(centsOf)))
          expect(offer.minutes).toBeGreaterThanOrEqual(minutes)
        }
      }),
    )
  })

  test('counts whole minutes and cents, and has a price wherever the plan has one', () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const roi = calculateRoi(inputs)
        for (const whole of [roi.minutes, roi.lostCents, roi.differenceCents ?? 0, roi.callCents ?? 0])
          expect(Number.isSafeInteger(whole)).toBe(true)
        expect(roi.differenceCents === null).toBe(roi.offer.cents === null)
        expect(roi.lost).toBeLessThanOrEqual(roi.missed)
        expect(roi.missed).toBeLessThanOrEqual(roi.calls)
      }),
    )
  })

  test.each(roiFields)('more %s never means fewer minutes, a lower price or a smaller loss', (field) => {
    fc.assert(
      fc.property(anyInputs, anyOf(field), (inputs, other) => {
        const [low, high] = [inputs[field], other].sort((a, b) => a - b)
        const less = calculateRoi({ ...inputs, [field]: low })
        const more = calculateRoi({ ...inputs, [field]: high })
        expect(more.minutes).toBeGreaterThanOrEqual(less.minutes)
        expect(more.offer.cents ?? Infinity).toBeGreaterThanOrEqual(less.offer.cents ?? Infinity)
        expect(more.lostCents).toBeGreaterThanOrEqual(less.lostCents)
      }),
    )
  })
})

describe('what is said of it', () => {
  const said = (inputs: Partial<RoiInputs>) => roiTexts(calculateRoi({ ...roiExample, ...inputs }))
  const growth = planById('growth')
  const price = growth.priceCents ?? 0
  const enterprise = planName('enterprise')

  test('a plan that costs more than it saves is called so, with a minus', () => {
    expect(said({ missed: 0 })).toMatchObject({
      label: 'Difference, each month',
      figure: `−${wholePrice(price)}`,
      verdict: `At these numbers, ${growth.name} costs ${wholePrice(price)} a month more than it saves.`,
      cost: wholePrice(0),
    })
  })

  test('lost bookings that cost more than the plan are set against it', () => {
    expect(said({})).toMatchObject({
      figure: wholePrice(1200_00 - price),
      verdict: `At these numbers, lost bookings cost ${wholePrice(1200_00 - price)} a month more than ${growth.name} does.`,
      plan: `Recommended: ${growth.name}`,
      minutes: `Lit: your 600 minutes a month. ${growth.name} includes ${grouped(growth.minutes)}. One dot is ${minutesPerDot} minutes.`,
      cost: wholePrice(1200_00),
      priceOf: `${growth.name}, a month`,
      price: `−${wholePrice(price)}`,
      call: exactPrice(Math.round(price / 300)),
    })
  })

  test('a plan that saves what it costs, to the dollar, is neither', () => {
    const even = Math.round(price / 100 / 0.21)
    for (const cost of [even - 1, even, even + 1])
      expect(said({ missed: 7, lost: 1, cost })).toMatchObject({
        figure: wholePrice(0),
        verdict: `At these numbers, ${growth.name} costs as much as it saves.`,
      })
  })

  test('beyond the largest priced plan there is the loss alone, and no sum with a price that is not known', () => {
    expect(said({ calls: 1000, minutes: 60 })).toMatchObject({
      label: 'Lost bookings, each month',
      figure: wholePrice(120_000_00),
      verdict: `${enterprise} is priced by volume: compare its price with this figure.`,
      minutes: `Lit: your 1,800,000 minutes a month. ${enterprise} includes ${minutesLabel(planById('enterprise'))}. One dot is ${minutesPerDot} minutes; the dots stop at ${grouped(100 * minutesPerDot)}.`,
      price: 'By volume',
      call: 'By volume',
    })
  })

  test('nobody makes a tenth of a call: expected values are rounded, and say so', () => {
    expect(said({ calls: 6, missed: 20, lost: 30 })).toMatchObject({ missed: '36', lost: 'about 11' })
    expect(said({ calls: 3, missed: 1, lost: 25 })).toMatchObject({
      missed: 'fewer than 1',
      lost: 'fewer than 1',
    })
    expect(said({ missed: 0 })).toMatchObject({ missed: '0', lost: '0' })
  })

  test('the dots are the plan’s, and of these as many lit as minutes were begun', () => {
    const starting = roiDots(calculateRoi({ ...roiExample, calls: 1, minutes: 0.1 }))
    const ending = roiDots(
      calculateRoi({ ...roiExample, calls: Math.floor(growth.minutes / 30), minutes: 1 }),
    )
    expect(starting.used).toBe('M4 4h.1')
    expect(starting.included).toBe(`M4 4h${(starter.minutes / minutesPerDot - 1) * 8}.1`)
    expect(ending.used).toBe(ending.included)
  })
})

describe('the button', () => {
  test('buys the recommended plan, or leads to the contact page', () => {
    expect(roiAction.checkout(roiExample)).toEqual({
      href: '/checkout?plan=growth',
      action: `Choose ${planName('growth')}`,
    })
    expect(roiAction.checkout({ ...roiExample, calls: 900 })).toEqual({
      href: '/contact?about=enterprise#help',
      action: 'Contact us',
    })
  })

  test('takes the numbers along to the plans', () => {
    expect(roiAction.pricing(roiExample).href).toBe('/pricing#calculator')
    expect(roiAction.pricing({ ...roiExample, calls: 40, minutes: 1.5 }).href).toBe(
      '/pricing?calls=40&minutes=1.5#calculator',
    )
  })
})
