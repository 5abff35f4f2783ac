/** A headline broken into lines, at the size at which they fill their box. */
export interface Setting {
  /** Font size in pixels. */
  size: number
  lines: readonly (readonly string[])[]
}

export interface Box {
  width: number
  height: number
}

/** In units of the font size: the line's height, the gap between words, the lamp that ends the headline. */
export const leading = 1
export const space = 0.22
export const lamp = { diameter: 0.19, gap: 0.05 } as const

const sizes = { largest: 148, smallest: 32, step: 4 } as const

/** Words as they may be parted: an ampersand stays with what follows it. */
export const wordsOf = (headline: string): string[] =>
  headline
    .trim()
    .replace(/&\s+/g, '&\u00a0')
    .split(/[^\S\u00a0]+/)

/**
 * The largest setting that fits the box, its lines as even as they can be; at the smallest size, whatever comes.
 * @param widthOf width of a word in units of the font size
 */
export function setHeadline(words: readonly string[], widthOf: (word: string) => number, box: Box): Setting {
  for (let size: number = sizes.largest; ; size -= sizes.step) {
    const room = box.width / size - lamp.gap - lamp.diameter
    const lines = wrap(words, widthOf, room)
    const fits = words.every((word) => widthOf(word) <= room) && lines.length * size * leading <= box.height
    if (fits || size <= sizes.smallest) return { size, lines: evened(words, widthOf, room, lines) }
  }
}

/** Fills each line before it begins the next. */
function wrap(words: readonly string[], widthOf: (word: string) => number, room: number): string[][] {
  const lines: string[][] = []
  let left = 0
  for (const word of words) {
    left -= space + widthOf(word)
    if (lines.length === 0 || left < 0) {
      lines.push([word])
      left = room - widthOf(word)
    } else lines.at(-1)?.push(word)
  }
  return lines
}

/** As many lines as `lines`, in the least room that holds them. */
function evened(
  words: readonly string[],
  widthOf: (word: string) => number,
  room: number,
  lines: string[][],
): string[][] {
  const narrower = wrap(words, widthOf, room * 0.98)
  const fits = narrower.length === lines.length && words.every((word) => widthOf(word) <= room * 0.98)
  return fits ? evened(words, widthOf, room * 0.98, narrower) : lines
}
