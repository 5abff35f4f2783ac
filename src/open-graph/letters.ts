import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createElement, type CSSProperties, type ReactNode } from 'react'
import satori, { type SatoriNode } from 'satori'
import { openGraphImage as canvas } from '#marketing/domain/open-graph.ts'
import { site } from '#site'
import type { Card } from './card.ts'
import { lamp, leading, setHeadline, space, wordsOf } from './headline.ts'
import { headlineBox, nameAt } from './picture.ts'

const tracking = '-0.055em'
/** From a line's floor up to the baseline, in units of the font size. */
const belowBaseline = 0.135

const { resolve } = createRequire(import.meta.url)
const fonts = Promise.all(
  ['latin', 'latin-ext'].map(async (subset) => ({
    name: `Inter ${subset}`,
    data: await readFile(resolve(`@fontsource/inter/files/inter-${subset}-600-normal.woff`)),
    weight: 600 as const,
    style: 'normal' as const,
  })),
)

const box = (style: CSSProperties, ...children: ReactNode[]): ReactNode =>
  createElement('div', { style: { display: 'flex', ...style } }, ...children)

/** Width of each word in units of the font size. */
async function measured(words: readonly string[]): Promise<Map<string, number>> {
  const size = 100
  const widths = new Map<string, number>()
  const row = [...new Set(words)].map((word) =>
    createElement('div', { key: word, style: { flexShrink: 0 } }, word),
  )
  await satori(box({ fontSize: size, letterSpacing: tracking }, ...row), {
    width: canvas.width,
    fonts: await fonts,
    onNodeDetected: ({ key, width }: SatoriNode) => key && widths.set(String(key), width / size),
  })
  return widths
}

/** @throws Error, rather than drawing boxes for letters that the fonts above lack */
const loadAdditionalAsset = async (_: string, letters: string): Promise<never> => {
  throw new Error(
    `No font of the Open Graph images has “${letters}”. src/open-graph/letters.ts names the fonts.`,
  )
}

/**
 * The brand's name and the card's headline as outlines: where the picture is drawn there may be no such font.
 * @throws Error naming letters that no font has
 */
export async function letters(card: Card, colours: { ink: string; lamp: string }): Promise<string> {
  const words = wordsOf(card.headline)
  const widths = await measured(words)
  const place = headlineBox(card)
  const { size, lines } = setHeadline(words, (word) => widths.get(word) ?? 0, place)
  const stop = box({
    width: lamp.diameter * size,
    height: lamp.diameter * size,
    marginLeft: (lamp.gap - space) * size,
    marginBottom: belowBaseline * size,
    borderRadius: size,
    background: colours.lamp,
  })
  const rows = lines.map((line, index) => {
    const isLast = index === lines.length - 1
    return box(
      { height: leading * size, alignItems: 'flex-end', gap: space * size },
      ...line.map((word) => box({ flexShrink: 0 }, word)),
      isLast && stop,
    )
  })
  const page = box(
    { width: canvas.width, height: canvas.height, color: colours.ink, position: 'relative' },
    box(
      { position: 'absolute', left: nameAt.x, top: nameAt.y, fontSize: 38, letterSpacing: '-0.03em' },
      site.name,
    ),
    box(
      {
        position: 'absolute',
        left: place.left - 0.05 * size,
        top: place.bottom - lines.length * leading * size,
        flexDirection: 'column',
        fontSize: size,
        lineHeight: leading,
        letterSpacing: tracking,
      },
      ...rows,
    ),
  )
  return satori(page, { ...canvas, fonts: await fonts, loadAdditionalAsset })
}
