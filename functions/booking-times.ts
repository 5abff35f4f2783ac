import { handTimesRequest } from '#bookings/domain/by-hand.ts'
import { bookingTimes } from '#bookings/server/booking-times.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { bookable, day, people, nights, wanted, moved } with a bearer token → { times: { offer, starts, isTaken }[] } of that day. */
export default pagePost({ name: 'booking-times', body: handTimesRequest, handle: bookingTimes })
