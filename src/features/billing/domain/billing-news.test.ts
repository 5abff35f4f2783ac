import { describe, expect, test } from 'vitest'
import { exactPrice, planName, priceAmount } from '#plans/domain/plans.ts'
import { billingMail } from './billing-mails.ts'
import { billingNews, type BillingNews, type BillingState } from './billing-news.ts'

const growth: BillingState = {
  subscription: 'sub_1',
  is_blocked: false,
  has_ended: false,
  is_owing: false,
  plan: 'growth',
  price: 500_00,
  minutes: 750,
  next_plan: 'growth',
  next_price: 500_00,
  next_minutes: 750,
  period_end: '2026-12-03T10:00:00+00:00',
  ends_at: null,
  upgrade: null,
  bought: { packages: 0, minutes: 0, cents: 0 },
  spent: 0,
  most: 500_00,
  ceiling: 1_500_00,
  waiting: 0,
  is_capped: false,
  grace: null,
  grace_ends: null,
  number_days: 30,
}
const noted: Partial<BillingState> = { next_plan: 'starter', next_price: 100_00, next_minutes: 150 }
/** Growth at a price that is no longer sold; and at today's from the next renewal on. */
const older: Partial<BillingState> = { price: 600_00, next_price: 600_00, next_minutes: 900 }
const today: Partial<BillingState> = { next_price: 500_00, next_minutes: 750 }
const pro: Partial<BillingState> = {
  ...{ plan: 'pro', price: 1_500_00, minutes: 2_000, upgrade: 'in_2' },
  ...{ next_plan: 'pro', next_price: 1_500_00, next_minutes: 3_000 },
}
const starter: Partial<BillingState> = { ...noted, plan: 'starter', price: 100_00, minutes: 150 }
const ending = { ends_at: '2026-12-03T10:00:00+00:00' }
const bought = (packages: number): Partial<BillingState> => ({
  bought: { packages, minutes: packages * 50, cents: packages * 40_00 },
  spent: packages * 40_00,
})
const owing = { is_owing: true, grace_ends: '2026-11-10T10:00:00+00:00' }
const stages = { soon: { ...owing, grace: 'soon' as const }, over: { ...owing, grace: 'over' as const } }

describe('what is new to a customer', () => {
  test.each<[what: string, told: Partial<BillingState>, now: Partial<BillingState>, news: string[]]>([
    ['nothing', {}, {}, []],
    ['another subscription', { subscription: 'sub_0' }, pro, []],
    ['a blocked account', {}, { ...pro, is_blocked: true }, []],
    ['an upgrade that is paid', {}, pro, ['upgraded']],
    ['an upgrade that is not paid', {}, { ...pro, plan: 'growth', price: 500_00, upgrade: null }, []],
    ['an upgrade despite a noted downgrade', noted, pro, ['upgraded']],
    ['an upgrade whose invoice was given back', pro, {}, []],
    ['the earlier upgrade after that', pro, { upgrade: 'in_1' }, []],
    ['the renewal after an upgrade', pro, { ...pro, upgrade: null }, []],
    ['a downgrade', {}, noted, ['smaller plan noted']],
    ['a downgrade that is known', noted, noted, []],
    ['a downgrade taken back', noted, {}, ['plan kept']],
    ['a downgrade that has come', noted, starter, []],
    ["today's lower price, noted", older, { ...older, ...today }, ['smaller plan noted']],
    ['it is taken back', { ...older, ...today }, older, ['plan kept']],
    ['it has come', { ...older, ...today }, {}, []],
    ['it replaces a downgrade', { ...older, ...noted }, { ...older, ...today }, ['smaller plan noted']],
    ['an end', {}, ending, ['end noted']],
    ['an end, written in another way', ending, { ends_at: '2026-12-03T10:00:00Z' }, []],
    ['another day of the end', { ends_at: '2026-12-01T00:00:00Z' }, ending, ['end noted']],
    ['an end taken back', ending, {}, ['goes on']],
    ['the end', ending, { has_ended: true }, ['ended']],
    ['the end, known', { has_ended: true }, { has_ended: true, ...noted }, []],
    ['packages', bought(1), bought(3), ['packages added']],
    ['a package that is billed again', bought(1), bought(1), []],
    ['the last package and the cap', {}, { ...bought(1), is_capped: true }, ['packages added', 'capped']],
    ['a cap that is known', { is_capped: true }, { is_capped: true }, []],
    ['a higher cap', { is_capped: true }, { is_capped: true, most: 600_00 }, ['capped']],
    ['a renewal that is owed, which has a mail of its own', {}, owing, []],
    ['the last days of the grace', owing, stages.soon, ['stops soon']],
    ['the end of the grace', stages.soon, stages.over, ['stopped']],
    ['the payment after it', stages.over, {}, []],
  ])('%s', (_what, told, now, news) => {
    expect(billingNews({ ...growth, ...told }, { ...growth, ...now }).map(({ of }) => of)).toEqual(news)
  })

  test('the end says that a renewal was not paid, and packages what they are', () => {
    expect(billingNews({ ...growth, ...owing }, { ...growth, has_ended: true })).toEqual([
      { of: 'ended', wasOwing: true },
    ])
    expect(billingNews({ ...growth, ...bought(1) }, { ...growth, ...bought(3) })).toEqual([
      { of: 'packages added', packages: 2, minutes: 100, cents: 80_00 },
    ])
  })
})

describe('its mail says plan, amount and date, and what to do next', () => {
  const [ofStarter, ofGrowth, ofPro] = ['starter', 'growth', 'pro'].map(planName)
  const charged = exactPrice(466_67)
  test.each<[news: BillingNews, now: Partial<BillingState>, subject: string, says: string[]]>([
    [
      { of: 'upgraded', from: 'growth', invoice: 'in_2' },
      pro,
      `Your plan is now ${ofPro}`,
      [
        `from ${ofGrowth} to ${ofPro}`,
        `${charged} was charged`,
        '2,000 minutes',
        `${ofPro}, ${priceAmount(1_500_00)} a month, with 3,000`,
      ],
    ],
    [
      { of: 'smaller plan noted' },
      noted,
      `Your plan changes to ${ofStarter} on 3 December 2026`,
      [
        `${ofStarter}: ${priceAmount(100_00)} a month, with 150 minutes`,
        `you keep ${ofGrowth}`,
        `press “Keep ${ofGrowth}”`,
      ],
    ],
    [
      { of: 'smaller plan noted' },
      { ...older, ...today },
      'Your price changes on 3 December 2026',
      [
        `your plan ${ofGrowth} costs ${priceAmount(500_00)} a month, with 750 minutes`,
        `press “Keep ${priceAmount(600_00)} a month”`,
      ],
    ],
    [
      { of: 'plan kept' },
      {},
      `You keep the ${ofGrowth} plan`,
      ['3 December 2026', `${priceAmount(500_00)} a month, with 750`],
    ],
    [
      { of: 'end noted' },
      { ...ending, waiting: 40_00 },
      `Your ${ofGrowth} plan ends on 3 December 2026`,
      [
        `(${priceAmount(500_00)} a month)`,
        `not paid ${priceAmount(40_00)}`,
        'charged when the plan ends',
        'press “Keep subscription”',
      ],
    ],
    [
      { of: 'goes on' },
      {},
      `Your ${ofGrowth} plan continues`,
      [`On 3 December 2026 it is charged again: ${ofGrowth}, ${priceAmount(500_00)}`],
    ],
    [
      { of: 'ended', wasOwing: true },
      {},
      `Your ${ofGrowth} plan has ended`,
      ['because its renewal was not paid', 'choose a plan', '30 days'],
    ],
    [
      { of: 'packages added', packages: 2, minutes: 100, cents: 80_00 },
      bought(3),
      `100 minutes were added for ${priceAmount(80_00)}`,
      [
        'on 3 December 2026 at the latest',
        `${priceAmount(120_00)} of the ${priceAmount(500_00)}`,
        `Your plan is ${ofGrowth}, at ${priceAmount(500_00)} a month`,
      ],
    ],
    [
      { of: 'capped' },
      {},
      'Your minutes are used up, and so is your spending limit for packages',
      ['takes messages', '3 December 2026', 'raise the spending limit or move to a larger plan'],
    ],
    [
      { of: 'stops soon' },
      stages.soon,
      `Your agent stops on 10 November 2026 unless you pay ${charged}`,
      [`${charged} for the renewal of your ${ofGrowth} plan`, 'answers until 10 November 2026'],
    ],
    [
      { of: 'stopped' },
      stages.over,
      `Your agent has stopped: ${charged} is not paid`,
      [`${charged}`, 'put through', 'answers again'],
    ],
  ])('%o', (news, now, subject, says) => {
    const mail = billingMail(news, { ...growth, ...now }, 466_67, 'https://desk.example')
    expect(mail.subject).toBe(subject)
    for (const words of [...says, 'What to do next: ', 'https://desk.example/portal/billing'])
      expect(mail.text.replaceAll('\n', ' ')).toContain(words)
    expect(mail.text).not.toMatch(/undefined|null|NaN/)
  })

  test('an upgrade of nothing says so, and a cap that cannot be raised is not offered', () => {
    const upgraded = { of: 'upgraded', from: 'growth', invoice: 'in_2' } as const
    expect(billingMail(upgraded, { ...growth, ...pro }, 0, '').text).toContain('settled with your balance')
    const capped = billingMail({ of: 'capped' }, { ...growth, most: 1_500_00 }, 0, '')
    expect(capped.text).not.toContain('raise the spending limit')
  })
})
