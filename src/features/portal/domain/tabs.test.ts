import { expect, test } from 'vitest'
import { arrivedFromOnboarding, portalTabs } from './tabs.ts'

test('every address that says that onboarding has been completed is the dashboard', () => {
  for (const tab of portalTabs.all) {
    const pathname = portalTabs.pathOf(tab)
    expect(portalTabs.tabOf({ pathname, search: '?onboarding_complete=true' })).toBe('dashboard')
    expect(portalTabs.tabOf({ pathname, search: '?onboarding_complete=false' })).toBe(tab)
  }
})

test('only the value true means that onboarding has been completed', () => {
  expect(arrivedFromOnboarding('?onboarding_complete=true')).toBe(true)
  for (const search of ['', '?onboarding_complete=false', '?onboarding_complete', '?x=true'])
    expect(arrivedFromOnboarding(search)).toBe(false)
})
