import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { adminTabs } from '#admin/domain/tabs.ts'
import { portalTabs } from '#portal/domain/tabs.ts'
import { TabBar } from '#platform/ui/bars/TabBar.tsx'
import '../../src/styles/app.css'

const ignore = (): undefined => undefined

test.each([portalTabs, adminTabs])(
  'on a phone the tabs are one row, with the open one in view',
  async (tabs) => {
    await page.viewport(360, 800)
    await render(
      <TabBar
        label="Tabs"
        tabs={tabs as typeof adminTabs}
        tab="settings"
        open={() => ignore}
        onLogout={ignore}
      />,
    )
    const links = page.getByRole('listitem').getByRole('link')
    const places = links.elements().map((link) => link.getBoundingClientRect())
    expect(places).toHaveLength(tabs.all.length)
    expect(new Set(places.map(({ top }) => top)).size).toBe(1)
    expect(places.filter(({ height, width }) => height < 44 || width < 44)).toEqual([])
    const { left = -1, right = 361 } = places.at(-1) ?? {}
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(360)
  },
)
