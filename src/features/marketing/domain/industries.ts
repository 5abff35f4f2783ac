/** The colours of industry pages (specification, section 2). The industries are in content/industries. */
export const industryColours = ['blue', 'orange', 'slate', 'teal', 'indigo'] as const

export const industryIcons = [
  'bed',
  'cutlery',
  'columns',
  'compass',
  'brackets',
  'headset',
  'bag',
  'cross',
] as const
export type IndustryIcon = (typeof industryIcons)[number]

const enamels = {
  blue: 'bg-hotel',
  orange: 'bg-restaurant',
  slate: 'bg-trade',
  teal: 'bg-clinic',
  indigo: 'bg-salon',
} as const

/** Returns the class that colours an industry's panel. An unknown colour gives blue. */
export const enamelOf = (colour: string): string =>
  (Object.entries(enamels).find(([name]) => name === colour) ?? ['blue', enamels.blue])[1]
