import { calendarLogin } from '#connections/domain/connections.ts'
import { findCalendars } from '#connections/server/calendars.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { url, username, password } with a bearer token → { calendars: { url, name }[] } on that CalDAV server. */
export default pagePost({ name: 'find-calendars', body: calendarLogin, handle: findCalendars })
