import { describe, expect, test } from 'vitest'
import { adminGuard, onboardingGuard, portalGuard, type Visitor } from './guards.ts'
import { arrivedFromOnboarding, portalTabOf, portalTabPath, portalTabs } from '#portal/domain/tabs.ts'
import { dayLabel } from '#platform/domain/dates.ts'

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
    ['loading', loading, wait],
    ['anonymous', anonymous, redirect('/login')],
    ['somebody else', ann, redirect('/login')],
    ['the admin', admin, allow],
  ])('%s', (_, visitor, decision) => {
    expect(adminGuard(visitor)).toEqual(decision)
  })
})

describe('URLs of the portal', () => {
  test('the index is the dashboard, every tab has its own URL, an unknown path has no tab', () => {
    expect(portalTabs.map(portalTabPath)).toEqual([
      '/portal/dashboard',
      '/portal/voice',
      '/portal/billing',
      '/portal/settings',
    ])
    for (const tab of portalTabs) {
      expect(portalTabOf(portalTabPath(tab))).toBe(tab)
      expect(portalTabOf(`${portalTabPath(tab)}/`)).toBe(tab)
    }
    expect(portalTabOf('/portal')).toBe('dashboard')
    expect(portalTabOf('/portal/')).toBe('dashboard')
    for (const stranger of ['/portal/calls', '/portal/voice/x', '/portal/__proto__', '/portal/Voice'])
      expect(portalTabOf(stranger)).toBeNull()
  })
  test('only the word true counts as coming from onboarding', () => {
    expect(arrivedFromOnboarding('?onboarding_complete=true')).toBe(true)
    for (const search of ['', '?onboarding_complete=false', '?onboarding_complete', '?x=true'])
      expect(arrivedFromOnboarding(search)).toBe(false)
  })
  test('a renewal is a day; what is no moment is nothing', () => {
    expect(dayLabel('2026-12-01T09:30:00+00:00', 'UTC')).toBe('1 December 2026')
    expect(dayLabel(null)).toBeNull()
    expect(dayLabel('soon')).toBeNull()
  })
})
