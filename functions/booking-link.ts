import { answerBookingLink } from '#bookings/server/booking-link.ts'
import { guarded } from '#platform/server/http.ts'
import { services } from '#platform/server/services.ts'

/** GET or POST /b/<token> → a page on which a caller sees, moves and cancels a booking, or its event (`?ics`). */
export default guarded('booking-link', (request) => answerBookingLink(request, services(), Date.now()))

export const config = { path: '/b/:token' }
