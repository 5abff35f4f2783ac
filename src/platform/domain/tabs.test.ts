import { expect, test } from 'vitest'
import { defineTabs } from './tabs.ts'

const tabs = defineTabs('/desk', { calls: 'Calls', keys: 'Keys' })
const tabOf = (pathname: string) => tabs.tabOf({ pathname, search: '' })

test('the index is the first tab, every tab has its own path, and no other path is a tab', () => {
  expect(tabs.all.map((tab) => tabs.pathOf(tab))).toEqual(['/desk/calls', '/desk/keys'])
  for (const tab of tabs.all) {
    expect(tabOf(tabs.pathOf(tab))).toBe(tab)
    expect(tabOf(`${tabs.pathOf(tab)}/`)).toBe(tab)
  }
  expect(tabOf('/desk')).toBe('calls')
  expect(tabOf('/desk/')).toBe('calls')
  for (const unknown of ['/desk/faqs', '/desk/calls/x', '/desk/__proto__', '/desk/Calls'])
    expect(tabOf(unknown)).toBeNull()
})
