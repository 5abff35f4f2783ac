import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Card } from './card.ts'
import { letters } from './letters.ts'
import { picture } from './picture.ts'
import { propertiesOf, resolved } from './stylesheet.ts'

const css = (name: string): string => readFileSync(new URL(`../styles/${name}.css`, import.meta.url), 'utf8')
const tokens = propertiesOf(css('tokens'), ':root')
const enamel = { ...propertiesOf(css('tokens'), '.inverse'), ...propertiesOf(css('industry'), '.enamel') }

/** A card as a PNG of few colours. */
export async function draw(card: Card): Promise<Buffer> {
  const properties = card.panel
    ? { ...tokens, ...enamel, '--color-paper': tokens[`--color-${card.panel.enamel}`] ?? '' }
    : tokens
  const styles = resolved(
    `${css('drawing')}
    .ground { fill: var(--color-paper); }
    .hair { stroke: var(--color-line); stroke-width: 2; }
    .icon { stroke: var(--color-ink); stroke-width: 1.25; }`,
    properties,
  )
  const { '--color-ink': ink = '', '--color-signal': lamp = '' } = properties
  const svg = picture(card, await letters(card, { ink, lamp }), styles)
  return sharp(Buffer.from(svg)).png({ palette: true, effort: 4, dither: 0 }).toBuffer()
}
