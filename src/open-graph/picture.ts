import { cordPath, jack, mark, type Point } from '#platform/domain/drawing.ts'
import { openGraphImage as canvas } from '#marketing/domain/open-graph.ts'
import type { Card } from './card.ts'
import type { Box } from './headline.ts'

/** The page's frame: twelve columns between two hairlines, the bar above, the board with its jacks below. */
const columns = 12
const column = 92
const edge = (canvas.width - columns * column) / 2
const right = canvas.width - edge
const pad = 26
const bar = 100
const board = 434
const icon = { size: 176, top: bar + 40 } as const

/** The top left corner of the brand's name, beside the mark. */
export const nameAt: Point = { x: edge + pad + 54, y: 28 }

/** Where the headline stands: on the board, at the left. */
export const headlineBox = ({ panel }: Card): Box & { left: number; bottom: number } => ({
  left: edge + pad,
  bottom: board - 40,
  width: columns * column - 2 * pad - (panel ? icon.size + 32 : 0),
  height: 280,
})

/** The board is drawn larger than on the pages: it is mostly seen small. */
const zoom = 1.4
const jackAt = (index: number): Point => ({
  x: (edge + pad + index * column) / zoom + jack.rings[0],
  y: board / zoom + 46,
})

/** A number from 0 up to `count`, always the same for the same text. */
function drawnFrom(text: string, count: number): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 9973
  return sum % count
}

/** The main line is plugged into the page's own jack; from an industry's jack the call leaves the board. */
function cord(card: Card): { d: string; plugs: readonly Point[] } {
  const own = jackAt(4 + drawnFrom(card.file, card.panel ? 5 : 8))
  if (!card.panel) return { d: cordPath(jackAt(0), own, 100), plugs: [jackAt(0), own] }
  const d = `M${own.x} ${own.y}C${own.x} ${own.y + 125} ${own.x + 150} ${own.y + 70} ${canvas.width} ${own.y + 20}`
  return { d, plugs: [own] }
}

const circle = (kind: string, { x, y }: Point, r: number): string =>
  `<circle class="${kind}" cx="${x}" cy="${y}" r="${r}"/>`

function switchboard(card: Card): string {
  const { d, plugs } = cord(card)
  return [
    ...Array.from({ length: columns }, (_, index) => [
      ...jack.rings.map((r) => circle('jk', jackAt(index), r)),
      circle('jh', jackAt(index), jack.hole),
    ]).flat(),
    `<path class="cast" transform="translate(5 8)" d="${d}"/>`,
    `<path class="cord" d="${d}"/><path class="braid" d="${d}"/>`,
    ...plugs.map((point) => circle('plug', point, 11)),
  ].join('')
}

/** @param letters what is written on the card, as an SVG of the same size */
export function picture(card: Card, letters: string, styles: string): string {
  const { width, height } = canvas
  const verticals = Array.from({ length: columns - 1 }, (_, index) => edge + (index + 1) * column)
  const hairlines = [
    `M${edge} 0V${height}M${right} 0V${height}M0 ${bar}H${width}M0 ${board}H${width}`,
    ...verticals.map((x) => `M${x} ${board}V${height}`),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none">`,
    `<style>${styles}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<path class="hair" d="${hairlines.join('')}"/>`,
    `<g transform="translate(${edge + pad - 2} 30) scale(1.6)">`,
    circle('fs', { x: mark.lamp.cx, y: mark.lamp.cy }, mark.lamp.r),
    `<path class="fi" d="${mark.bell}"/></g>`,
    card.panel
      ? `<path class="icon" transform="translate(${right - pad - icon.size} ${icon.top}) scale(${icon.size / 40})" d="${card.panel.icon}"/>`
      : '',
    letters,
    `<g transform="scale(${zoom})">${switchboard(card)}</g>`,
    '</svg>',
  ].join('')
}
