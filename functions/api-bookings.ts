import { listByKey } from '#connections/server/read-by-key.ts'

/** GET ?after&limit with an API key → { items, next }: the account's bookings, latest first. */
export default listByKey('api-bookings', 'bookings_of_key')
