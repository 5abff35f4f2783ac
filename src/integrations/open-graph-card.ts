import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createElement as h, type ReactElement } from 'react'
import satori from 'satori'
import sharp from 'sharp'
import { cordPath, jack, type Point } from '#platform/domain/drawing.ts'
import { openGraphImage as canvas } from '#marketing/domain/open-graph.ts'
import { site } from '#site'

/** What a page's Open Graph image is drawn from. */
export interface Card {
  /** The path of the image, `/og/pricing.png`. */
  file: string
  headline: string
  /** An industry's panel: the colour of its enamel, and its icon's path in a box of 40 units. */
  panel?: { enamel: string; icon: string }
}

const { resolve } = createRequire(import.meta.url)
const fonts = ['latin', 'latin-ext'].map((subset) => ({
  name: `Inter ${subset}`,
  data: readFileSync(resolve(`@fontsource/inter/files/inter-${subset}-600-normal.woff`)),
}))
/** @throws Error, rather than drawing boxes for letters that the fonts above lack */
const loadAdditionalAsset = async (_: string, letters: string): Promise<never> => {
  throw new Error(`No font of the Open Graph images has “${letters}” (src/integrations/open-graph-card.ts)`)
}
/** The shapes of the brand's mark, as elements. */
const mark = [...readFileSync('src/components/mark.svg', 'utf8').matchAll(/<(\w+)([^<>]*)\/>/g)].map(
  ([, element = '', attributes = '']) => {
    const { class: className, ...rest } = Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
    return h(element, { className, ...rest })
  },
)
const options = { ...canvas, fonts, loadAdditionalAsset }
const style = (name: string): string =>
  readFileSync(new URL(`../styles/${name}.css`, import.meta.url), 'utf8')
const [tokens = ''] = style('theme').replace('@theme static', ':root').split('@custom-variant')
/** The pages' own styles: satori knows classes and custom properties, and takes the light scheme. */
const styles = [tokens, ...['drawing', 'industry'].map(style)]

/** The page's frame: twelve columns between two hairlines, the bar above, the board with its jacks below. */
const [column, edge, left, bar, board] = [92, 48, 74, 100, 434]
const columns = Array.from({ length: 12 }, (_, index) => index)
const verticals = columns.map((index) => `M${edge + index * column} ${board}v999`).join('')
const hairlines = `${verticals}M${edge} 0v${board}M${canvas.width - edge} 0v999M0 ${bar}h9999M0 ${board}h9999`
/** The board is drawn larger than on the pages: it is mostly seen small. */
const zoom = 1.4
const jackAt = (index: number): Point => ({ x: (left + index * column) / zoom + 16, y: board / zoom + 46 })

const shape = (className: string, d: string, style = {}) => h('path', { className, d, style })
const circle = (className: string, { x, y }: Point, r: number) => h('circle', { className, cx: x, cy: y, r })
const group = (transform: string, ...shapes: ReactElement[]) => h('g', { transform }, ...shapes)

/** Draws all but the text. The main line is plugged into a jack; from an industry's jack the call leaves. */
function drawing({ file, panel }: Card): ReactElement {
  const plug = jackAt(4 + (file.length % (panel ? 5 : 8)))
  const end = panel ? { x: 1000, y: 340 } : jackAt(0)
  const cord = cordPath(plug, end, 100)
  const jacks = columns.map(jackAt).flatMap((at) => {
    const rings = jack.rings.map((radius) => circle('jk', at, radius))
    return [...rings, circle('jh', at, jack.hole)]
  })
  return h(
    'svg',
    { ...canvas, fill: 'none' },
    shape('', hairlines, { stroke: 'var(--color-line)', strokeWidth: 2 }),
    group(`translate(${left - 2} 30) scale(1.6)`, ...mark),
    group(
      'translate(950 140) scale(4.4)',
      shape('', panel?.icon ?? '', { stroke: 'var(--color-on-enamel)', strokeWidth: 1.25 }),
    ),
    group(
      `scale(${zoom})`,
      ...jacks,
      group('translate(5 8)', shape('cast', cord)),
      ...['cord', 'braid'].map((className) => shape(className, cord)),
      ...[plug, end].map((at) => circle('plug', at, 11)),
    ),
  )
}

type Room = Record<'width' | 'height', number>

/** Parts a headline into the lines that can be set largest, as their letters count; “&” stays with what follows. */
export function linesOf(headline: string, room: Room): string[] {
  const text = headline.trim().replace(/\s+/g, ' ').replaceAll('& ', '&\u00a0')
  const roughly = (lines: string[]): number =>
    Math.min(room.height / lines.length, (room.width * 2) / Math.max(...lines.map(({ length }) => length)))
  const partings = Array.from(text, (_, at) => text.match(RegExp(`[^ ].{0,${at}}(?= |$)|[^ ]+`, 'g')) ?? [])
  return partings.reduce((best, lines) => (roughly(lines) > roughly(best) ? lines : best), [text])
}

/** Sets lines one below the other; the lamp is their full stop. */
function setting(lines: string[], fontSize: number): ReactElement {
  const round = { display: 'inline-block', width: '0.19em', height: '0.19em', borderRadius: '50%' }
  const lamp = h('span', { style: { ...round, marginLeft: '0.07em', background: 'var(--color-signal)' } })
  const style = { display: 'block', whiteSpace: 'pre', letterSpacing: '-0.055em', lineHeight: 1, fontSize }
  return h('div', { key: 'setting', style }, lines.join('\n'), lamp)
}

/** Measures at which font size lines fill their room. */
async function sizeOf(lines: string[], room: Room): Promise<number> {
  let inEm = 0
  await satori(h('div', { style: { display: 'flex' } }, setting(lines, 100)), {
    ...options,
    onNodeDetected: ({ key, width }) => {
      if (key === 'setting') inEm = width / 100
    },
  })
  return Math.min(148, room.height / lines.length, room.width / inEm)
}

/** Draws a card as a PNG of few colours. */
export async function draw(card: Card): Promise<Buffer> {
  const room = { width: card.panel ? 844 : 1052, height: 280 }
  const lines = linesOf(card.headline, room)
  const size = await sizeOf(lines, room)
  const at = { position: 'absolute', display: 'flex' } as const
  const name = { ...at, left: left + 54, top: 28, fontSize: 38, letterSpacing: '-0.03em' }
  const headline = { ...at, left: left - 0.05 * size, bottom: canvas.height - board + 40 }
  const ground = { ...at, ...canvas, color: 'var(--color-ink)', background: 'var(--color-paper)' }
  const background = card.panel && `var(--color-${card.panel.enamel})`
  const panel = h(
    'div',
    { className: card.panel && 'enamel', style: { ...at, ...canvas, background } },
    drawing(card),
    h('div', { style: name }, site.name),
    h('div', { style: headline }, setting(lines, size)),
  )
  const page = { className: card.panel && 'inverse', style: ground }
  const svg = await satori(h('div', page, h('style', {}, ...styles), panel), options)
  return sharp(Buffer.from(svg)).png({ palette: true, effort: 4, dither: 0 }).toBuffer()
}
