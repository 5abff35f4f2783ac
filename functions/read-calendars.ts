import { readCalendarsRequest } from '#bookings/domain/own-calendar.ts'
import { readMyCalendars } from '#bookings/server/own-calendars.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST {} with a bearer token → {}. Asks the signed-in owner's calendars now. */
export default pagePost({ name: 'read-calendars', body: readCalendarsRequest, handle: readMyCalendars })
