import { passwordResetRequest } from '#account/domain/contracts.ts'
import { pagePost } from '#platform/server/http.ts'
import { requestPasswordReset } from '#account/server/password-reset.ts'

/** POST { email } → { accepted: true }, whether or not the e-mail address has an account. */
export default pagePost({
  name: 'request-password-reset',
  body: passwordResetRequest,
  limit: { name: 'password_reset', subject: ({ email }) => email },
  handle: requestPasswordReset,
})
