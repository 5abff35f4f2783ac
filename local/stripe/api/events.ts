import { known } from '../account.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'

export const events: Pick<Handlers, 'GET /v1/events' | 'GET /v1/events/:id'> = {
  'GET /v1/events'(account, params) {
    const found = account.store
      .all('events')
      .filter((one) => !params.type || one.type === params.type)
      .filter((one) => !params.types || params.types.includes(one.type))
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/events')
  },

  'GET /v1/events/:id': (account, _params, id) => known(account, 'events', id),
}
