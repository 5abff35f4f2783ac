import type { Bookable, Resource } from './booking-setup.ts'

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Says in a line how something is booked. */
export function bookableLine(bookable: Bookable, resources: readonly Resource[]): string {
  const { length, hours, decision, mostADay, mostNights } = bookable
  const needed = resources.filter(({ id }) => bookable.resources.includes(id))
  const empty = needed.filter(({ units }) => units.length === 0)
  const listed = (some: readonly Resource[]): string => some.map((each) => each.name).join(' and ')
  return [
    length
      ? counted(length.minutes, 'minute') + (length.buffer > 0 ? `, ${length.buffer} free after it` : '')
      : `up to ${counted(mostNights, 'night')}`,
    length && hours && 'at hours of its own',
    decision === 'request'
      ? 'as a request, you confirm'
      : mostADay === null
        ? 'the agent books'
        : `the agent books ${mostADay} a day`,
    needed.length > 0 && `needs ${listed(needed)}`,
    empty.length > 0 && `not bookable yet: add to ${listed(empty)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Says in a line what there is of a resource. */
export function resourceLine({ units, joins }: Resource): string {
  const seats = units.reduce((sum, unit) => sum + (unit.seats || 0), 0)
  const all = units.length > 3 ? `${units.length} in all` : units.map(({ name }) => name).join(', ')
  if (units.length === 0) return 'nothing yet'
  return [all, counted(seats, 'seat'), joins.length > 0 && `joined in ${counted(joins.length, 'way')}`]
    .filter(Boolean)
    .join(' · ')
}

/** Names the unit after another: "Table 5" after "Table 4". */
export const nextName = (name: string): string =>
  /\d+$/.test(name) ? name.replace(/\d+$/, (number) => String(Number(number) + 1)) : `${name} 2`.trim()

/** The notices that can be chosen, in minutes. */
const notices: readonly (readonly [number, string])[] = [
  [0, 'None'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [120, '2 hours'],
  [240, '4 hours'],
  [720, '12 hours'],
  [1_440, '1 day'],
  [2_880, '2 days'],
  [10_080, '1 week'],
  [20_160, '2 weeks'],
]

/** Returns the notices that can be chosen, with the one that is. */
export const noticesWith = (chosen: number): (readonly [string, string])[] =>
  (notices.some(([minutes]) => minutes === chosen)
    ? notices
    : [...notices, [chosen, counted(chosen, 'minute')] as const].toSorted(([one], [other]) => one - other)
  ).map(([minutes, words]) => [String(minutes), words])
