import { useEffect, useState } from 'react'
import { Section } from '#agent/ui/knowledge/FormSection.tsx'
import { changeCalendar, readOwnCalendars } from '#bookings/browser/own-calendars.ts'
import type { BookingSetup } from '#bookings/domain/booking-setup.ts'
import type { OwnCalendar } from '#bookings/domain/own-calendar.ts'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'

/** Whose time the owner's calendars take; nothing without calendars. A choice is saved at once. */
export function CalendarOwners({ setup }: { setup: BookingSetup }) {
  const [calendars, setCalendars] = useState<OwnCalendar[]>([])
  const [outcome, setOutcome] = useState('')
  useEffect(() => void readOwnCalendars().then((read) => setCalendars(read ?? [])), [])
  if (calendars.length === 0) return null
  const units = setup.resources.flatMap((each) => each.units)
  async function choose({ id, unit: was }: OwnCalendar, unit: string | null): Promise<void> {
    const show = (shown: string | null): void =>
      setCalendars((all) => all.map((each) => (each.id === id ? { ...each, unit: shown } : each)))
    // A choice shows at once, while it is saved.
    show(unit)
    const isSaved = await changeCalendar(id, { unit }).catch(() => false)
    if (!isSaved) show(was)
    setOutcome(isSaved ? 'Saved.' : 'Not saved. Check your connection and try again.')
  }
  return (
    <Section title="Whose calendar is whose">
      <p className="text-ink-2">
        While a calendar is busy, nobody books what it belongs to. A choice is saved at once.
      </p>
      {calendars.map((calendar) => (
        <SelectInput
          key={calendar.id}
          label={`${calendar.name} takes the time of`}
          value={calendar.unit ?? ''}
          options={[
            ['', 'Everybody and everything'],
            ...units.map(({ id, name }) => [id, name] as const),
            // What it was chosen for is not there any more.
            ...(calendar.unit === null || units.some(({ id }) => id === calendar.unit)
              ? []
              : [[calendar.unit, 'Nobody any more'] as const]),
          ]}
          onChange={(unit) => void choose(calendar, unit || null)}
        />
      ))}
      <p className="text-sm" role="status">
        {outcome}
      </p>
    </Section>
  )
}
