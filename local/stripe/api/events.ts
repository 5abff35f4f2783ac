import { requireObject } from '../account.ts'
import type { Handlers } from '../handlers.ts'
import { page, rangeFilter } from '../lists.ts'

export const events: Pick<Handlers, 'GET /v1/events' | 'GET /v1/events/:id'> = {
  'GET /v1/events'(account, params) {
    const { type, types } = params
    const isIn = rangeFilter(params.created)
    const found = account.store
      .all('events')
      .filter((one) => !type || one.type === type)
      .filter((one) => !types || types.includes(one.type))
      .filter((one) => isIn(one.created))
    return page(found, params, '/v1/events')
  },

  'GET /v1/events/:id': (account, _params, id) => requireObject(account, 'events', id),
}
