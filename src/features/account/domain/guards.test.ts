import { describe, expect, test } from 'vitest'
import { adminGuard, onboardingGuard, portalGuard, type Visitor } from './guards.ts'

const loading: Visitor = { status: 'loading' }
const anonymous: Visitor = { status: 'signedOut' }
const ann: Visitor = { status: 'signedIn', user: { id: 'a1', isAdmin: false } }
const admin: Visitor = { status: 'signedIn', user: { id: 'a2', isAdmin: true } }
const wait = { kind: 'wait' }
const allow = { kind: 'allow' }
const redirect = (url: string) => ({ kind: 'redirect', url })
const known = (onboardingCompleted: boolean, fromServer: boolean) => ({ onboardingCompleted, fromServer })

describe('portal', () => {
  test.each([
    ['loading', loading, null, false, wait],
    ['loading, with a cache', loading, known(true, false), false, wait],
    ['anonymous', anonymous, null, false, redirect('/pricing')],
    ['anonymous, with a mark', anonymous, known(true, true), true, redirect('/pricing')],
    ['no subscription yet', ann, null, false, wait],
    ['no subscription yet, postponed', ann, null, true, wait],
    ['completed', ann, known(true, true), false, allow],
    ['completed, from the cache', ann, known(true, false), false, allow],
    ['not completed', ann, known(false, true), false, redirect('/onboarding')],
    ['not completed, from the cache', ann, known(false, false), false, wait],
    ['not completed, Finish Later', ann, known(false, true), true, allow],
    ['not completed, Finish Later, from the cache', ann, known(false, false), true, allow],
  ])('%s', (_, visitor, subscription, postponed, decision) => {
    expect(portalGuard(visitor, subscription, postponed)).toEqual(decision)
  })
})

describe('onboarding', () => {
  test.each([
    ['loading', loading, null, wait],
    ['anonymous', anonymous, null, redirect('/login')],
    ['no subscription yet', ann, null, wait],
    ['from the cache', ann, known(false, false), wait],
    ['not completed', ann, known(false, true), allow],
    ['completed', ann, known(true, true), redirect('/portal')],
  ])('%s', (_, visitor, subscription, decision) => {
    expect(onboardingGuard(visitor, subscription)).toEqual(decision)
  })
})

describe('admin', () => {
  test.each([
    ['loading', loading, 'granted', 'granted', wait],
    ['anonymous', anonymous, 'granted', 'granted', redirect('/login')],
    ['nobody known, not answered', ann, null, undefined, wait],
    ['nobody known, unreachable', ann, null, null, redirect('/login?from=admin')],
    ['somebody else', ann, null, 'none', redirect('/login?from=admin')],
    ['an admin of old', admin, 'granted', 'none', redirect('/login?from=admin')],
    ['an admin', admin, null, 'granted', allow],
    ['an admin, not answered', admin, 'granted', undefined, allow],
    ['an admin, unreachable', admin, 'granted', null, allow],
    ['without the second factor', admin, null, 'second_factor', { kind: 'secondFactor' }],
    ['whose session lacks it by now', admin, 'granted', 'second_factor', { kind: 'secondFactor' }],
    ['known to lack it, not answered', admin, 'second_factor', undefined, wait],
    ['known to lack it, unreachable', admin, 'second_factor', null, { kind: 'secondFactor' }],
  ] as const)('%s', (_, visitor, before, answer, decision) => {
    expect(adminGuard(visitor, before, answer)).toEqual(decision)
  })
})
