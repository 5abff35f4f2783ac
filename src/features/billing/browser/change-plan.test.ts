import { expect, test } from 'vitest'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import type { ConfirmationFailure } from './plan-change.ts'
import { planName } from '#plans/domain/plans.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { previewUpgrade, saveChange, upgrade, type FreeChange, type PlanClients } from './change-plan.ts'

const preview = { quote: 'q1', to: 'pro' } as PlanPreview
const newer = { quote: 'q2', to: 'pro' } as PlanPreview
const down = { type: 'nextPlan', plan: 'starter', isTakenBack: false } as const
const back = { type: 'nextPlan', plan: 'pro', isTakenBack: true } as const
const from = '2026-12-03T12:00:00Z'
const problem = (message: string) => ({ problem: { field: 'change', message } })
const refusal = (code: ConfirmationFailure['code'], message: string, more = {}) =>
  ({ ok: false, failure: { code, message, answered: true, ...more } }) as const
const no = refusal('payment_owed', 'no')
const changed = { ok: true, value: { status: 'changed' } } as const
const bank = { ok: true, value: { status: 'requires_action', clientSecret: 's' } } as const

type Confirmed = Awaited<ReturnType<PlanClients['confirm']>>

/** The clients with the answers to each confirmation in order; `done` lists what was asked for. */
function portal(confirmed: Confirmed[] = [], more: Partial<PlanClients> = {}) {
  const done: string[] = []
  const clients: PlanClients = {
    preview: async () => ({ ok: true, value: preview }),
    confirm: async (quote) => {
      done.push(`confirm ${quote}`)
      return confirmed.shift() ?? no
    },
    authenticate: async (secret) => void done.push(`authenticate ${secret}`),
    changeNextPlan: async (plan) => {
      done.push(`next plan ${plan}`)
      return { ok: true, value: { plan: plan ?? 'pro', from } }
    },
    endSubscription: async () => {
      done.push('end')
      return { ok: true, value: { cancel_at: from } }
    },
    resumeSubscription: async () => {
      done.push('resume')
      return { ok: true, value: { cancel_at: null } }
    },
    refresh: () => done.push('refresh'),
    ...more,
  }
  const saveChoice = async (plan: string) => {
    done.push(`choose for ${plan}`)
    return null
  }
  return { done, clients, saveChoice }
}

test('an upgrade is previewed; if it cannot be, the page is read again', async () => {
  const shown = portal()
  expect(await previewUpgrade('pro', shown.clients)).toEqual({ preview })
  expect(shown.done).toEqual([])
  const refused = portal([], { preview: async () => no })
  expect(await previewUpgrade('pro', refused.clients)).toEqual(problem('no'))
  expect(refused.done).toEqual(['refresh'])
})

const paid = { toast: toasts.planChanged(planName('pro')) }
test.each<[string, Confirmed[], object, string[]]>([
  ['it is paid', [changed], paid, ['confirm q1', 'refresh']],
  ['the bank asks', [bank, changed], paid, ['confirm q1', 'authenticate s', 'confirm q1', 'refresh']],
  ['the bank refuses', [bank, no], problem('no'), ['confirm q1', 'authenticate s', 'confirm q1', 'refresh']],
  ['the card is declined', [refusal('card_declined', 'no')], problem('no'), ['confirm q1', 'refresh']],
  [
    'the amounts have changed',
    [refusal('quote_changed', 'new', { preview: newer })],
    { preview: newer, problem: 'new' },
    ['confirm q1'],
  ],
  [
    'the answer is lost',
    [refusal('rate_limited', 'lost', { answered: false })],
    { preview, problem: 'lost' },
    ['confirm q1'],
  ],
  [
    'the provider does not answer',
    [refusal('provider_unavailable', 'lost')],
    { preview, problem: 'lost' },
    ['confirm q1'],
  ],
  ['the server fails', [refusal('internal', 'lost')], { preview, problem: 'lost' }, ['confirm q1']],
])('an upgrade is confirmed: %s', async (_, confirmed, outcome, steps) => {
  const { done, clients } = portal(confirmed)
  expect(await upgrade(preview, clients)).toEqual(outcome)
  expect(done).toEqual(steps)
})

test.each<[FreeChange, string[], string]>([
  [down, ['choose for starter', 'next plan starter'], `${planName('starter')} from 3 December 2026`],
  [back, ['next plan null'], `You stay on ${planName('pro')}`],
  [{ type: 'end' }, ['end'], 'ends on 3 December 2026'],
  [{ type: 'resume' }, ['resume'], 'goes on'],
])('%o is saved, and says from when it counts', async (change, steps, words) => {
  const { done, clients, saveChoice } = portal()
  const { toast } = await saveChange(change, change === down ? saveChoice : undefined, clients)
  expect(toast?.description).toContain(words)
  expect(done).toEqual([...steps, 'refresh'])
})

test.each<[string, FreeChange, Partial<PlanClients>]>([
  ['the next plan', down, { changeNextPlan: async () => no }],
  ['the end', { type: 'end' }, { endSubscription: async () => no }],
  ['going on', { type: 'resume' }, { resumeSubscription: async () => no }],
])('%s is refused with the reason', async (_, change, more) => {
  const { done, clients } = portal([], more)
  expect(await saveChange(change, undefined, clients)).toEqual(problem('no'))
  expect(done).toEqual(['refresh'])
})

test('a choice that cannot be saved leaves the plan as it is', async () => {
  const { done, clients } = portal()
  expect(await saveChange(down, async () => 'no', clients)).toEqual(problem('no'))
  expect(done).toEqual(['refresh'])
})
