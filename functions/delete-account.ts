import { deleteAccountRequest } from '#portal/domain/contracts.ts'
import { deleteAccount } from '#portal/server/delete-account.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { email } with a bearer token → { deleted: true }. Ends the user's subscriptions, deletes recordings and account. */
export default pagePost({
  name: 'delete-account',
  body: deleteAccountRequest,
  handle: deleteAccount,
})
