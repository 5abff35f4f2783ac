/** GET ?key → the account's bookings as a calendar. */
export { bookingCalendar as default } from '#connections/server/read-by-key.ts'
