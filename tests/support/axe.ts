import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose result depends on colours. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Returns the page's accessibility violations, each as its rule and the elements that break it. Axe runs in the page
 * itself and in its frames of the same origin, where it is loaded once, and describes nothing but violations:
 * @axe-core/playwright loads it for each look and takes twice the time.
 */
export async function axeViolations(
  page: Page,
  { only = 'html', without, rules }: { only?: string; without?: string; rules?: string[] } = {},
): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source)
  const context: Axe.SerialContextObject = { include: only, ...(without && { exclude: without }) }
  const options: Axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  return page.evaluate(
    async ({ context, options }) => {
      const { axe } = window as unknown as { axe: typeof Axe }
      const { violations } = await axe.run(context, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    { context, options },
  )
}
