import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The rules whose result depends on colours. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Returns the page's accessibility violations, each as its rule and the elements that break it. Axe runs in the page
 * itself and in its frames of the same origin, and describes nothing but violations: both save most of its time.
 */
export async function axeViolations(
  page: Page,
  { only, without, rules }: { only?: string; without?: string; rules?: string[] } = {},
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (rules) axe.withRules(rules)
  if (only) axe.include(only)
  if (without) axe.exclude(without)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
