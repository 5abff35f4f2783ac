import { describe, expect, test } from 'vitest'
import { carriersFor, countryOf, forwardingCases, forwardingCountries } from './forwarding.ts'

const american = '+12025550181'
const british = '+442079460018'

describe('what is dialled', () => {
  test.each([
    ['US', 'Any mobile network', american, 'unanswered', '**61*+12025550181#', '##61#'],
    ['US', 'Verizon Wireless', american, 'busy', '*71 2025550181', '*73'],
    ['US', 'Landline', american, 'busy', '*90 2025550181', '*91'],
    ['CA', 'Landline', british, 'all', '*72 011442079460018', '*73'],
    ['GB', 'BT landline', british, 'all', '*21*02079460018#', '#21#'],
    ['GB', 'BT landline', american, 'busy', '*67*0012025550181#', '#67#'],
    ['CH', 'Swisscom landline', american, 'unanswered', '*61 0012025550181#', '#61#'],
    ['IT', 'Landline', '+390612345678', 'all', '*21*0612345678#', '#21#'],
  ] as const)('%s, %s, %s, %s: %s, undone by %s', (country, name, number, when, begin, end) => {
    const carrier = forwardingCountries
      .find(({ code }) => code === country)!
      .carriers.find((each) => each.name === name)!
    expect([carrier.codes[when]!.begin(number), carrier.codes[when]!.end]).toEqual([begin, end])
  })
})

test('every carrier has a code and names its source, and no country is listed twice', () => {
  const codes = forwardingCountries.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const { carriers } of forwardingCountries)
    for (const { codes: known, source } of carriers) {
      expect(source).toMatch(/^3GPP TS|^https?:\/\//)
      expect(forwardingCases.some((each) => known[each])).toBe(true)
    }
})

test.each([
  ['en-GB', 'GB'],
  ['de-CH', 'CH'],
  ['en-NZ', 'US'],
  ['en', 'US'],
])('the country of %s is %s', (locale, code) => {
  expect(countryOf(locale).code).toBe(code)
})

test.each([
  ['GB', 'hotels-resorts', 'BT landline', 'Any mobile network'],
  ['GB', 'tourism-travel', 'Any mobile network', 'Phone system, or another landline'],
  ['SE', 'clinics-wellness', 'Phone system, or another landline', 'Any mobile network'],
  ['US', null, 'Any mobile network', 'Phone system, or another landline'],
] as const)('in %s, %s looks for %s first, and for %s last', (code, trade, first, last) => {
  const country = forwardingCountries.find((each) => each.code === code)!
  const names = carriersFor(country, trade).map(({ name }) => name)
  expect([names[0], names.at(-1)]).toEqual([first, last])
  expect(names).toHaveLength(country.carriers.length + 1)
})
