import tokens from '../styles/theme.css?raw'
import svg from './mark.svg?raw'

/** The brand's mark, drawn once: mark.svg. Its shapes have the classes `fs` (the signal's colour) and `fi` (the ink's). */
export const mark = {
  viewBox: /viewBox="([^"]+)"/.exec(svg)?.[1] ?? '',
  shapes: svg.replace(/^\s*<svg[^>]*>|<\/svg>\s*$/g, ''),
}

const [light = '', dark = ''] = tokens.split('(prefers-color-scheme: dark)')

/** Returns a colour of theme.css. */
const colour = (name: string, scheme: string): string =>
  new RegExp(`--color-${name}: (#[0-9a-f]+);`).exec(scheme)?.[1] ?? ''

/** The colour of a browser's bars around the page. */
export const themeColours = { light: colour('paper', light), dark: colour('paper', dark) }

const rules = (scheme: string): string =>
  `.fs{fill:${colour('signal', scheme)}}.fi{fill:${colour('ink', scheme)}}`

/** Returns the mark with its own colours, in a frame. */
const drawn = (style: string, viewBox: string, ground = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"><style>${style}</style>${ground}${mark.shapes}</svg>`

/** The site's icon, an SVG image that follows the colour scheme. Browsers without SVG icons use /favicon.ico. */
export const icon = drawn(
  `${rules(light)}@media(prefers-color-scheme:dark){.fi{fill:${colour('ink', dark)}}}`,
  mark.viewBox,
)

/** The icon in the light scheme, for formats without schemes. */
export const plainIcon = drawn(rules(light), mark.viewBox)

/** The icon on paper with a margin, for home screens, which cut its corners. */
export function tileIcon(): string {
  const [x = 0, y = 0, width = 0, height = 0] = mark.viewBox.split(' ').map(Number)
  const margin = width * 0.3
  const frame = [x - margin, y - margin, width + 2 * margin, height + 2 * margin] as const
  const [left, top, wide, high] = frame
  const ground = `<rect x="${left}" y="${top}" width="${wide}" height="${high}" fill="${themeColours.light}"/>`
  return drawn(rules(light), frame.join(' '), ground)
}
