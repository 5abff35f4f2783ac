import { industryUses, type Use } from './industry-uses.ts'

/** The industry catalogue (specification, sections 2 and 3). */
export interface Industry {
  id: IndustryId
  name: string
  description: string
  colour: IndustryColour
  icon: IndustryIcon
  /** What the picture in the header labels its twelve jacks with, top row first, and which one is plugged in. */
  rack: { labels: readonly string[]; plugged: number }
  features: readonly Use[]
}

export const industryColours = ['blue', 'orange', 'slate', 'teal', 'indigo'] as const
export type IndustryColour = (typeof industryColours)[number]
export type IndustryIcon =
  'bed' | 'cutlery' | 'columns' | 'compass' | 'brackets' | 'headset' | 'bag' | 'cross'

const enamels = {
  blue: 'hotel',
  orange: 'restaurant',
  slate: 'trade',
  teal: 'clinic',
  indigo: 'salon',
} as const

/** The class that paints an industry's panel; blue for a colour nobody knows. */
export const enamelOf = (colour: string): string =>
  (Object.entries(enamels).find(([name]) => name === colour) ?? ['blue', enamels.blue])[1]

const numbered = (prefix: string): readonly string[] =>
  Array.from({ length: 12 }, (_, index) => `${prefix}${index + 1}`)
const floors: readonly string[] = [3, 2, 1].flatMap((floor) => [1, 2, 3, 4].map((room) => `${floor}0${room}`))

const listed = [
  {
    id: 'hotels-resorts',
    name: 'Hotels & Resorts',
    description:
      'A phone agent for every room and every hour. Guests reach a voice at once, and your desk stays with the guest in front of it.',
    colour: 'blue',
    icon: 'bed',
    rack: { labels: floors, plugged: 10 },
  },
  {
    id: 'restaurants-cafes',
    name: 'Restaurants & Cafes',
    description:
      'The phone rings most when the room is full. The agent takes the bookings, your team carries the plates.',
    colour: 'orange',
    icon: 'cutlery',
    rack: { labels: numbered('T'), plugged: 9 },
  },
  {
    id: 'government-services',
    name: 'Government Services',
    description:
      'Residents hear where to go, what to bring and when you are open, without waiting in a queue on the line.',
    colour: 'slate',
    icon: 'columns',
    rack: { labels: numbered('Desk '), plugged: 10 },
  },
  {
    id: 'tourism-travel',
    name: 'Tourism & Travel',
    description:
      'Travellers call from every time zone. The agent answers in their language and books while the plan is fresh.',
    colour: 'indigo',
    icon: 'compass',
    rack: { labels: numbered('Gate '), plugged: 8 },
  },
  {
    id: 'tech-saas',
    name: 'Tech & SaaS',
    description:
      'First-line answers and demo bookings around the clock, with every call written into the CRM you already use.',
    colour: 'indigo',
    icon: 'brackets',
    rack: { labels: numbered('Queue '), plugged: 10 },
  },
  {
    id: 'call-centers-bpos',
    name: 'Call Centers & BPOs',
    description:
      'The agent takes the peaks and the routine, so that your people have time for the calls that need a person.',
    colour: 'slate',
    icon: 'headset',
    rack: { labels: numbered('Seat '), plugged: 9 },
  },
  {
    id: 'retail-ecommerce',
    name: 'Retail & E-commerce',
    description:
      'Where is my order, is it in stock, can I bring it back: answered while your shop is serving, and after it has closed.',
    colour: 'orange',
    icon: 'bag',
    rack: { labels: numbered('Till '), plugged: 8 },
  },
  {
    id: 'clinics-wellness',
    name: 'Clinics & Wellness',
    description:
      'Appointments made, moved and confirmed by voice, while your reception looks after the patient at the desk.',
    colour: 'teal',
    icon: 'cross',
    rack: { labels: numbered('Room '), plugged: 9 },
  },
] as const satisfies readonly Omit<Industry, 'features'>[]

export type IndustryId = keyof typeof industryUses

export const industries: readonly Industry[] = listed.map((industry) => ({
  ...industry,
  features: industryUses[industry.id],
}))
