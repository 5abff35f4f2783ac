import { expect, test } from 'vitest'
import { arrivedFromOnboarding, portalTabOf, portalTabPath, portalTabs } from './tabs.ts'

const tabOf = (pathname: string, search = '') => portalTabOf({ pathname, search })

test('the index is the dashboard, every tab has its own path, and no other path is a tab', () => {
  expect(portalTabs.map(portalTabPath)).toEqual([
    '/portal/dashboard',
    '/portal/agent',
    '/portal/voice',
    '/portal/billing',
    '/portal/settings',
  ])
  for (const tab of portalTabs) {
    expect(tabOf(portalTabPath(tab))).toBe(tab)
    expect(tabOf(`${portalTabPath(tab)}/`)).toBe(tab)
  }
  expect(tabOf('/portal')).toBe('dashboard')
  expect(tabOf('/portal/')).toBe('dashboard')
  for (const unknown of ['/portal/calls', '/portal/voice/x', '/portal/__proto__', '/portal/Voice'])
    expect(tabOf(unknown)).toBeNull()
})

test('every address that says that onboarding has been completed is the dashboard', () => {
  for (const tab of portalTabs)
    expect(tabOf(portalTabPath(tab), '?onboarding_complete=true')).toBe('dashboard')
  expect(tabOf('/portal/billing', '?onboarding_complete=false')).toBe('billing')
})

test('only the value true means that onboarding has been completed', () => {
  expect(arrivedFromOnboarding('?onboarding_complete=true')).toBe(true)
  for (const search of ['', '?onboarding_complete=false', '?onboarding_complete', '?x=true'])
    expect(arrivedFromOnboarding(search)).toBe(false)
})
