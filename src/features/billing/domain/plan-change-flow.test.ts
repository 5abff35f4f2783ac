import { describe, expect, test } from 'vitest'
import { planName } from '#plans/domain/plans.ts'
import type { PlanPreview } from './plan-change-contracts.ts'
import {
  transition,
  type PlanChangeCommand,
  type PlanChangeEvent,
  type PlanChangeState,
} from './plan-change-flow.ts'

const preview = { quote: 'q1', to: 'pro' } as PlanPreview
const newer = { quote: 'q2', to: 'pro' } as PlanPreview
const idle: PlanChangeState = { step: 'idle' }
const previewing: PlanChangeState = { step: 'previewing', plan: 'pro' }
const previewed: PlanChangeState = { step: 'previewed', preview }
const confirming: PlanChangeState = { step: 'confirming', preview }
const authenticating: PlanChangeState = { step: 'authenticating', preview }
const down = { type: 'nextPlan', plan: 'starter', isTakenBack: false } as const
const back = { type: 'nextPlan', plan: 'pro', isTakenBack: true } as const

type Row = [string, PlanChangeState, PlanChangeEvent, PlanChangeState, PlanChangeCommand['type'][]]
test.each<Row>([
  ['an upgrade is previewed', idle, { type: 'upgradeChosen', plan: 'pro' }, previewing, ['preview']],
  ['the preview is shown', previewing, { type: 'previewMade', preview }, previewed, []],
  [
    'it cannot be made',
    previewing,
    { type: 'refused', message: 'no' },
    { step: 'idle', problem: 'no' },
    ['refresh'],
  ],
  ['it is confirmed', previewed, { type: 'confirmed' }, confirming, ['confirm']],
  ['it is left', previewed, { type: 'cancelled' }, idle, []],
  ['what is under way is not left', confirming, { type: 'cancelled' }, confirming, []],
  ['it is paid', confirming, { type: 'planChanged' }, idle, ['refresh', 'raiseToast']],
  [
    'the amounts have changed',
    confirming,
    { type: 'quoteChanged', preview: newer, message: 'new' },
    { step: 'previewed', preview: newer, problem: 'new' },
    [],
  ],
  [
    'the answer is lost',
    confirming,
    { type: 'answerLost', message: 'lost' },
    { step: 'previewed', preview, problem: 'lost' },
    [],
  ],
  [
    'the card is declined',
    confirming,
    { type: 'refused', message: 'no' },
    { step: 'idle', problem: 'no' },
    ['refresh'],
  ],
  [
    'the bank asks',
    confirming,
    { type: 'actionRequired', clientSecret: 's' },
    authenticating,
    ['authenticate'],
  ],
  ['the bank has its answer', authenticating, { type: 'authenticationEnded' }, confirming, ['confirm']],
  [
    'a smaller plan is asked about',
    idle,
    { type: 'changeChosen', change: down },
    { step: 'asking', change: down },
    [],
  ],
  [
    'it is meant',
    { step: 'asking', change: down },
    { type: 'confirmed' },
    { step: 'saving', change: down },
    ['save'],
  ],
  ['it is not meant', { step: 'asking', change: { type: 'end' } }, { type: 'cancelled' }, idle, []],
  [
    'it is taken back in one press',
    idle,
    { type: 'changeChosen', change: back },
    { step: 'saving', change: back },
    ['save'],
  ],
  [
    'the end is taken back in one press',
    idle,
    { type: 'changeChosen', change: { type: 'resume' } },
    { step: 'saving', change: { type: 'resume' } },
    ['save'],
  ],
  ['a second press does nothing', previewing, { type: 'upgradeChosen', plan: 'growth' }, previewing, []],
])('%s', (_, state, event, next, commands) => {
  const result = transition(state, event)
  expect(result.state).toEqual(next)
  expect(result.commands.map(({ type }) => type)).toEqual(commands)
})

describe('a saved change says from when it counts', () => {
  test.each([
    [down, `${planName('starter')} from 3 December 2026`],
    [back, `You stay on ${planName('pro')}`],
    [{ type: 'end' } as const, 'ends on 3 December 2026'],
    [{ type: 'resume' } as const, 'goes on'],
  ])('%o', (change, words) => {
    const { commands } = transition(
      { step: 'saving', change },
      { type: 'changeSaved', from: '2026-12-03T12:00:00Z' },
    )
    expect(JSON.stringify(commands)).toContain(words)
  })
})
