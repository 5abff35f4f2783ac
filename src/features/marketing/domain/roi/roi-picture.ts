import { dotField } from '#platform/domain/drawing.ts'
import { light, mark } from '#platform/domain/identity.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { site } from '#site'
import { roiDots, roiTexts } from './roi-texts.ts'
import { calculateRoi, type RoiInputs } from './roi.ts'
import { currencySign, minutesPerDot } from '#plans/domain/plans.ts'
import { openGraphImage } from '#marketing/domain/open-graph.ts'

const { width, height } = openGraphImage
const margin = 64
const lineLength = 44

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Breaks a text into lines at its spaces. */
function linesOf(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length > lineLength) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** Draws the calculator's result as an SVG, with the figures that the page shows, in the light scheme, because it is seen anywhere. */
export function roiPicture(inputs: RoiInputs): string {
  const roi = calculateRoi(inputs)
  const texts = roiTexts(roi)
  const dots = roiDots(roi)
  const text = (x: number, y: number, size: number, words: string, more = '') =>
    `<text x="${x}" y="${y}" font-size="${size}" ${more}>${escaped(words)}</text>`
  const path = (d: string, colour: string, thickness: number) =>
    d &&
    `<path d="${d}" stroke="${colour}" stroke-width="${thickness}" stroke-linecap="round" stroke-dasharray="0 8"/>`
  const rows = [
    ['Calls a day', grouped(inputs.calls)],
    ['Minutes a call', String(inputs.minutes)],
    ['Share you miss today', `${inputs.missed}%`],
    ['Share that would have booked', `${inputs.lost}%`],
    ['Value of one booking', `${currencySign}${grouped(inputs.cost)}`],
    ['Cost of lost bookings', texts.cost],
    [texts.priceOf, texts.price],
  ] as const
  const column = 704
  const dim = `fill="${light.dim}"`
  const bold = 'font-weight="600"'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="${light.ink}" font-family="'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', Roboto, sans-serif">`,
    `<path fill="${light.paper}" d="M0 0h${width}v${height}H0z"/>`,
    `<path fill="none" stroke="${light.line}" d="M0 96.5h${width}M664.5 96v534"/>`,
    `<svg x="${margin}" y="32" width="32.5" height="32.5" viewBox="${mark.viewBox}">`,
    mark.shapes
      .replaceAll('class="fs"', `fill="${light.signal}"`)
      .replaceAll('class="fi"', `fill="${light.ink}"`),
    '</svg>',
    text(margin + 46, 58, 28, site.name, `${bold} letter-spacing="-.5"`),
    text(margin, 156, 18, texts.label.toUpperCase(), `${bold} ${dim} letter-spacing="1"`),
    text(margin - 4, 256, 104, texts.figure, 'letter-spacing="-4.5"'),
    ...linesOf(texts.verdict).map((line, index) => text(margin, 312 + index * 34, 24, line)),
    text(margin, 420, 24, texts.plan, bold),
    `<g fill="none" transform="translate(${margin} 442) scale(2.4)">`,
    path(dotField(0).unlit, light.line, 2.6),
    path(dots.included, light.edge, 3.6),
    path(dots.used, light.ink, 5.4),
    '</g>',
    text(margin, 576, 18, `${texts.minutes.split('. ')[0]}. One dot is ${minutesPerDot} minutes.`, dim),
    ...rows.flatMap(([term, value], index) => {
      const y = 160 + index * 62
      return [
        text(column, y, 22, term, dim),
        text(width - margin, y, 22, value, `${bold} text-anchor="end"`),
        index > 0 &&
          `<path fill="none" stroke="${light.line}" d="M${column} ${y - 38.5}H${width - margin}"/>`,
      ]
    }),
    '</svg>',
  ]
    .filter(Boolean)
    .join('')
}
