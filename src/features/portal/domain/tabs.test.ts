import { expect, test } from 'vitest'
import { arrivedFromOnboarding, portalTabOf, portalTabPath, portalTabs } from './tabs.ts'

test('the index is the dashboard, every tab has its own path, and no other path is a tab', () => {
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
  for (const unknown of ['/portal/calls', '/portal/voice/x', '/portal/__proto__', '/portal/Voice'])
    expect(portalTabOf(unknown)).toBeNull()
})

test('only the value true means that onboarding has been completed', () => {
  expect(arrivedFromOnboarding('?onboarding_complete=true')).toBe(true)
  for (const search of ['', '?onboarding_complete=false', '?onboarding_complete', '?x=true'])
    expect(arrivedFromOnboarding(search)).toBe(false)
})
