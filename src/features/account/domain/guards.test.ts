import { describe, expect, test } from 'vitest'
import { adminPassage, onboardingPassage, portalPassage, type Visitor } from './guards.ts'
import { arrivedFromOnboarding, portalTabOf, portalTabPath, portalTabs } from '#portal/domain/tabs.ts'
import { dayLabel } from '#platform/domain/dates.ts'

const loading: Visitor = { status: 'loading' }
const anonymous: Visitor = { status: 'signedOut' }
const ann: Visitor = { status: 'signedIn', user: { id: 'a1', isAdmin: false } }
const admin: Visitor = { status: 'signedIn', user: { id: 'a2', isAdmin: true } }
const wait = { kind: 'wait' }
const enter = { kind: 'enter' }
const go = (to: string) => ({ kind: 'go', to })
const known = (onboardingCompleted: boolean, fresh: boolean) => ({ onboardingCompleted, fresh })

describe('portal', () => {
  test.each([
    ['loading', loading, null, false, wait],
    ['loading, with a cache', loading, known(true, false), false, wait],
    ['anonymous', anonymous, null, false, go('/pricing')],
    ['anonymous, with a mark', anonymous, known(true, true), true, go('/pricing')],
    ['no subscription yet', ann, null, false, wait],
    ['no subscription yet, postponed', ann, null, true, wait],
    ['completed', ann, known(true, true), false, enter],
    ['completed, by the cache', ann, known(true, false), false, enter],
    ['not completed', ann, known(false, true), false, go('/onboarding')],
    ['not completed, by the cache alone', ann, known(false, false), false, wait],
    ['not completed, Finish Later', ann, known(false, true), true, enter],
    ['not completed, Finish Later, by the cache', ann, known(false, false), true, enter],
  ])('%s', (_, visitor, subscription, postponed, passage) => {
    expect(portalPassage(visitor, subscription, postponed)).toEqual(passage)
  })
})

describe('onboarding', () => {
  test.each([
    ['loading', loading, null, wait],
    ['anonymous', anonymous, null, go('/login')],
    ['no subscription yet', ann, null, wait],
    ['by the cache alone', ann, known(false, false), wait],
    ['not completed', ann, known(false, true), enter],
    ['completed', ann, known(true, true), go('/portal')],
  ])('%s', (_, visitor, subscription, passage) => {
    expect(onboardingPassage(visitor, subscription)).toEqual(passage)
  })
})

describe('admin', () => {
  test.each([
    ['loading', loading, wait],
    ['anonymous', anonymous, go('/login')],
    ['somebody else', ann, go('/login')],
    ['the admin', admin, enter],
  ])('%s', (_, visitor, passage) => {
    expect(adminPassage(visitor)).toEqual(passage)
  })
})

describe('addresses of the portal', () => {
  test('the index is the dashboard, every tab has its own, strangers have none', () => {
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
