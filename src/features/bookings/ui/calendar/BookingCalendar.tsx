import { useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { blocksOn, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { readBusyTimes } from '#bookings/browser/bookings.ts'
import type { Booking } from '#bookings/domain/booking.ts'
import type { BookingSetup } from '#bookings/domain/booking-setup.ts'
import { addDays, localOf } from '#bookings/domain/booking-words.ts'
import {
  hoursOf,
  inLanes,
  partsOn,
  partWords,
  placed,
  weekOf,
  type DayPart,
} from '#bookings/domain/calendar.ts'
import { dayWords, nameOf, shortDay, whenOf } from '#bookings/domain/owners-bookings.ts'
import { buttonRow, inputBox } from '#platform/domain/app-variants.ts'
import { button, cell, gridRow } from '#platform/domain/variants.ts'
import { BookingFacts, Entry } from '#bookings/ui/entries.tsx'

const views = { list: 'List', day: 'Day', week: 'Week' } as const

interface Props {
  bookings: readonly Booking[]
  setup: BookingSetup
  knowledge: Pick<AgentKnowledge, 'hours' | 'holidays' | 'timeZone'>
  /** Milliseconds since 1970. */
  now: number
  /** What is shown as a list. */
  list: ReactNode
  /** The buttons for a booking. */
  actionsOf: (booking: Booking) => ReactNode
  /** Opens the form for a new booking on a day. */
  add: (day: string) => void
}

/** What is booked: a list of all that comes, a day by what is taken, or a week by days. On phones each is a list. */
export function BookingCalendar({ bookings, setup, knowledge, now, list, actionsOf, add }: Props) {
  const { timeZone } = knowledge
  const today = localOf(now, timeZone).slice(0, 10)
  const [view, setView] = useState<keyof typeof views>('list')
  const [day, setDay] = useState(today)
  const [chosen, setChosen] = useState<string | null>(null)
  const pressed = useRef<HTMLElement>(null)
  const panel = useRef<HTMLElement>(null)
  // What a press has shown is read next.
  useEffect(() => panel.current?.focus(), [chosen])
  const all = useMemo(() => placed(bookings, timeZone), [bookings, timeZone])
  const days = view === 'week' ? weekOf(day) : [day]
  const busy = useBusy(view === 'list' ? null : days[0]!, days.length, timeZone)
  const open = all.find(({ booking }) => booking.id === chosen)?.booking
  const part = (each: DayPart, style?: CSSProperties): ReactNode => (
    <Part
      key={each.booking.id}
      part={each}
      style={style}
      isChosen={each.booking.id === chosen}
      onPress={(element) => {
        pressed.current = element
        setChosen(each.booking.id)
      }}
    />
  )
  const show = (to: string): void => {
    setDay(to)
    setChosen(null)
  }
  const step = (name: string, to: string): ReactNode => (
    <button
      className={button({ kind: 'other', size: 'small' })}
      type="button"
      aria-disabled={to === day}
      onClick={() => show(to)}
    >
      {name}
    </button>
  )
  return (
    <section className="border-t" aria-labelledby="calendar">
      <div className={gridRow}>
        <div className={cell({ class: 'grid content-start gap-4' })}>
          <h2 className="text-h4" id="calendar">
            Booked
          </h2>
          <p className="text-ink-2">Times are those of your business ({timeZone}).</p>
        </div>
        <div className={cell({ span: 8, class: 'grid content-start gap-6' })}>
          <div className={buttonRow}>
            <div className="flex gap-2" role="group" aria-label="View">
              {Object.entries(views).map(([each, name]) => (
                <button
                  key={each}
                  className={button({ kind: 'other', size: 'small', class: 'aria-pressed:lamp-lit' })}
                  type="button"
                  aria-pressed={view === each}
                  onClick={() => {
                    setView(each as keyof typeof views)
                    setChosen(null)
                  }}
                >
                  {name}
                </button>
              ))}
            </div>
            {setup.bookables.length > 0 && (
              <button
                className={button({ kind: 'other', size: 'small' })}
                type="button"
                onClick={() => add(view === 'list' || day < today ? today : day)}
              >
                Add a booking
              </button>
            )}
          </div>
          {view === 'list' && list}
          {view !== 'list' && (
            <>
              <div className={buttonRow}>
                <div className="flex flex-wrap gap-2">
                  {step('Previous', addDays(day, view === 'week' ? -7 : -1))}
                  {step('Today', today)}
                  {step('Next', addDays(day, view === 'week' ? 7 : 1))}
                </div>
                <input
                  className={inputBox({ class: 'w-auto!' })}
                  type="date"
                  aria-label="Day"
                  value={day}
                  onChange={({ target }) => target.value && show(target.value)}
                />
              </div>
              <h3 className="text-h4" aria-live="polite">
                {view === 'week' ? `${dayWords(days[0]!)} – ${dayWords(days[6]!)}` : dayWords(day)}
              </h3>
              {open && (
                <section
                  className="grid gap-3 border-l-4 border-edge bg-panel p-4"
                  aria-label={nameOf(open)}
                  tabIndex={-1}
                  ref={panel}
                >
                  <ul>
                    <Entry actions={actionsOf(open)}>
                      <BookingFacts booking={open} when={whenOf(open, timeZone)} hasState />
                    </Entry>
                  </ul>
                  <button
                    className={button({ kind: 'other', size: 'small', class: 'justify-self-start' })}
                    type="button"
                    onClick={() => {
                      setChosen(null)
                      pressed.current?.focus()
                    }}
                  >
                    Close
                  </button>
                </section>
              )}
            </>
          )}
        </div>
      </div>
      {view === 'week' && (
        <div className="grid border-t lg:grid-cols-7">
          {days.map((each) => (
            <Day key={each} title={shortDay(each)} isToday={each === today}>
              {[...partsOn(all, each), ...partsOn(busy, each)]
                .toSorted((one, other) => one.from - other.from)
                .map((one, nth) => ('booking' in one ? part(one) : <Busy key={`busy ${nth}`} part={one} />))}
            </Day>
          ))}
        </div>
      )}
      {view === 'day' && (
        <DayByUnit
          parts={partsOn(all, day)}
          busy={partsOn(busy, day)}
          open={knowledge.hours ? blocksOn({ ...knowledge, hours: knowledge.hours }, day) : []}
          setup={setup}
          part={part}
        />
      )}
    </section>
  )
}

/** When the owner's own events take time, by the clock of the business; of a unit, or of all if it is null. */
interface BusyPlaced {
  unit: string | null
  starts: string
  ends: string
}
type BusyPart = Omit<BusyPlaced, 'starts' | 'ends'> & Omit<DayPart, 'booking'>

/** Reads when the owner's own events take time on so many days, by the clock of the business; none for no day. */
function useBusy(first: string | null, count: number, timeZone: string): BusyPlaced[] {
  const [busy, setBusy] = useState<BusyPlaced[]>([])
  useEffect(() => {
    let isGone = false
    if (first === null) return
    const moment = (day: string): Date => new Date(`${day}T00:00:00Z`)
    // Days of the business begin up to a day earlier or later than those of UTC.
    void readBusyTimes(moment(addDays(first, -1)), moment(addDays(first, count + 1))).then((read) => {
      if (isGone) return
      const local = (iso: string): string => localOf(Date.parse(iso), timeZone)
      setBusy(
        read.map(({ unit, starts_at, ends_at }) => ({
          unit,
          starts: local(starts_at),
          ends: local(ends_at),
        })),
      )
    })
    return () => {
      isGone = true
    }
  }, [first, count, timeZone])
  return busy
}

const timed =
  'md:[[data-timed]_&]:absolute md:[[data-timed]_&]:top-(--top) md:[[data-timed]_&]:left-(--left) md:[[data-timed]_&]:h-(--height) md:[[data-timed]_&]:w-(--width)'

/** An event of the owner's own calendar, of which nothing but its time is known. */
const Busy = ({ part, style }: { part: BusyPart; style?: CSSProperties }) => (
  <li
    style={style}
    data-everybody={style && part.unit === null ? '' : undefined}
    className={`overflow-hidden rounded-strip bg-line px-2 py-0.5 text-sm leading-[1.4] text-ink max-md:data-everybody:hidden ${timed}`}
  >
    {partWords(part)} Busy
  </li>
)

interface PartProps {
  part: DayPart
  style?: CSSProperties
  isChosen: boolean
  onPress: (button: HTMLElement) => void
}

/** A booking of a day. */
const Part = ({ part, style, isChosen, onPress }: PartProps) => {
  const isRequest = part.booking.state === 'requested'
  return (
    <li style={style} className={timed}>
      <button
        className={`block size-full cursor-pointer overflow-hidden rounded-strip border px-2 py-0.5 text-left text-sm leading-[1.4] hover:bg-panel aria-pressed:bg-panel aria-pressed:[box-shadow:inset_4px_0_0_var(--color-signal)] max-md:min-h-11 ${isRequest ? 'border-dashed border-edge bg-paper' : 'border-edge bg-well'}`}
        type="button"
        aria-pressed={isChosen}
        onClick={({ currentTarget }) => onPress(currentTarget)}
      >
        <b>{partWords(part)}</b> {nameOf(part.booking)}
        {isRequest && <span className="text-ink-2"> · not confirmed</span>}
      </button>
    </li>
  )
}

interface DayProps {
  title: string
  isToday: boolean
  children: readonly ReactNode[]
}

/** A day of a week. */
const Day = ({ title, isToday, children }: DayProps) => (
  <div
    role="group"
    aria-label={title}
    className="grid min-w-0 content-start gap-2 p-3 not-first:border-t max-lg:px-pad lg:not-first:border-t-0 lg:not-first:border-l"
  >
    <h4 className={`text-sm font-semibold ${isToday ? 'flex lamp items-center gap-2 lamp-lit' : ''}`}>
      {title}
    </h4>
    {children.length > 0 ? (
      <ul className="grid gap-1">{children}</ul>
    ) : (
      <p className="text-sm text-ink-2">Nothing.</p>
    )}
  </div>
)

/** How high an hour is, in rem: a quarter of it can be pressed. */
const hourRem = 6

interface DayByUnitProps {
  parts: readonly DayPart[]
  busy: readonly BusyPart[]
  open: Parameters<typeof hoursOf>[1]
  setup: BookingSetup
  part: (part: DayPart, style?: CSSProperties) => ReactNode
}

/** A day with a column for each unit, from its first hour down; on phones a list for each unit that is taken. */
function DayByUnit({ parts, busy, open, setup, part }: DayByUnitProps) {
  const units = setup.resources.flatMap((resource) => resource.units)
  const columns = units.map(({ id, name }) => ({
    id,
    name,
    own: inLanes(parts.filter(({ booking }) => booking.units.includes(id))),
  }))
  const others = parts.filter(
    ({ booking }) => !booking.units.some((id) => units.some((each) => each.id === id)),
  )
  if (others.length > 0 || units.length === 0)
    columns.push({ id: 'others', name: 'Others', own: inLanes(others) })
  const [first, last] = hoursOf(parts, open)
  const hours = Array.from({ length: last - first }, (_, nth) => first + nth)
  const rem = (minutes: number): number => (Math.min(Math.max(minutes / 60, first), last) - first) * hourRem
  const height = { '--column': `${hours.length * hourRem}rem` } as CSSProperties
  return (
    <div
      className="border-t md:overflow-x-auto"
      // It is scrolled by keyboard, also without bookings.
      // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label="The day by what is taken"
    >
      {parts.length === 0 && <p className="p-pad text-ink-2 md:border-b">Nothing is booked on this day.</p>}
      <ul className="grid gap-1 px-pad pb-pad empty:hidden md:hidden">
        {busy.map((each, nth) => each.unit === null && <Busy key={nth} part={each} />)}
      </ul>
      <div className="md:flex md:w-max md:min-w-full">
        <div
          className="sticky left-0 z-1 w-14 shrink-0 border-r bg-paper pt-11 text-sm text-ink-2 max-md:hidden"
          aria-hidden
        >
          <div className="relative h-(--column)" style={height}>
            {hours.map((hour) => (
              <span
                key={hour}
                className="absolute top-(--top) right-2"
                style={{ '--top': `${(hour - first) * hourRem}rem` } as CSSProperties}
              >
                {hour}:00
              </span>
            ))}
          </div>
        </div>
        {columns.map(({ id, name, own }) => (
          <div
            key={id}
            role="group"
            aria-label={name}
            style={{ '--least': `${9 * Math.max(...own.map(({ lanes }) => lanes), 1)}rem` } as CSSProperties}
            className="max-md:grid max-md:gap-2 max-md:p-pad max-md:not-has-[li:not([data-everybody])]:hidden md:min-w-(--least) md:flex-1 md:not-last:border-r max-md:[&+&]:border-t"
          >
            <h4 className="truncate text-sm font-semibold md:h-11 md:px-2 md:leading-11">{name}</h4>
            <ul
              data-timed
              className="grid gap-1 md:relative md:block md:h-(--column) md:bg-[repeating-linear-gradient(var(--color-line)_0_1px,transparent_1px_6rem)]"
              style={height}
            >
              {busy
                .filter(({ unit, from, until }) => (unit === null || unit === id) && rem(until) > rem(from))
                .map((each, nth) => (
                  <Busy
                    key={`busy ${nth}`}
                    part={each}
                    style={
                      {
                        '--top': `${rem(each.from)}rem`,
                        '--height': `${rem(each.until) - rem(each.from)}rem`,
                        '--left': '0%',
                        '--width': '100%',
                      } as CSSProperties
                    }
                  />
                ))}
              {own.map(({ lane, lanes, ...each }) =>
                part(each, {
                  '--top': `${rem(each.from)}rem`,
                  '--height': `${Math.max(rem(each.until) - rem(each.from), 1.5)}rem`,
                  '--left': `${(100 * lane) / lanes}%`,
                  '--width': `${100 / lanes}%`,
                } as CSSProperties),
              )}
            </ul>
          </div>
        ))}
      </div>
    </div>
  )
}
