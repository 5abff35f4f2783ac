import type { Account } from './account.ts'
import type { Endpoint, RequestParameters } from './parameter-types.ts'

/** Answers one endpoint, at once: nothing else happens to the account meanwhile. */
export type Handler<E extends Endpoint> = (
  account: Account,
  params: RequestParameters[E],
  /** The `:id` of the path, or ''. */
  id: string,
) => object

export type Handlers = { [E in Endpoint]: Handler<E> }
