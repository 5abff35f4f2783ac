import { listByKey } from '#connections/server/read-by-key.ts'

/** GET ?after&limit with an API key → { items, next }: the account's calls, latest first. */
export default listByKey('api-calls', 'calls_of_key')
