import { storageKey } from '#site'
import { afterAll, expect, test, vi } from 'vitest'
import type { AgentSettingsRow } from '#agent/domain/agent-settings.ts'
import { openBrowserPage, storedSession } from '../../../../tests/support/browser-page.ts'

const settings: AgentSettingsRow = {
  voice_sample_path: null,
  voice_sample_name: null,
  voice_sample_bytes: null,
  industry_template: 'retail',
  business_name: null,
  greeting: null,
}
const ready = (more: Partial<AgentSettingsRow> = {}) => ({
  status: 'ready',
  userId: 'a1',
  settings: { ...settings, ...more },
})

const down = () => Response.json({ code: '57014', message: 'canceled' }, { status: 500 })
let answer: () => Response = down
vi.resetModules()
const page = openBrowserPage(() => answer())
page.localStorage.setItem(storageKey('auth'), JSON.stringify(storedSession('a1')))
const { $agentSettings, loadAgentSettings } = await import('./agent-settings-store.ts')
afterAll(() => vi.unstubAllGlobals())

test('a failure is reported if no settings are known, and leaves known settings in place', async () => {
  const states: unknown[] = []
  $agentSettings.listen((state) => states.push(state))

  await loadAgentSettings('a1')
  expect(states.splice(0)).toEqual([{ status: 'loading' }, { status: 'failed' }])

  answer = () => Response.json([settings])
  await loadAgentSettings('a1')
  expect(states.splice(0)).toEqual([{ status: 'loading' }, ready()])

  answer = down
  await loadAgentSettings('a1')
  expect(states.splice(0)).toEqual([])

  answer = () => Response.json([{ ...settings, industry_template: 'healthcare' }])
  await loadAgentSettings('a1')
  expect(states.splice(0)).toEqual([ready({ industry_template: 'healthcare' })])

  answer = down
  await loadAgentSettings('b2')
  expect(states.splice(0)).toEqual([{ status: 'loading' }, { status: 'failed' }])
})
