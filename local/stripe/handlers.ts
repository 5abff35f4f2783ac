import type { Account } from './account.ts'
import type { Endpoint, RequestParameters } from './parameter-types.ts'

/** Handles requests to one endpoint, synchronously: nothing else changes the account meanwhile. */
type Handler<E extends Endpoint> = (
  account: Account,
  params: RequestParameters[E],
  /** The `:id` of the path, or ''. */
  id: string,
) => object

export type Handlers = { [E in Endpoint]: Handler<E> }
