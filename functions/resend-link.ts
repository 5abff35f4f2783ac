import { resendLinkRequest } from '#account/domain/contracts.ts'
import { pagePost } from '#platform/server/http.ts'
import { resendLink } from '#account/server/password-reset.ts'

/** POST { email } → { accepted: true }, whether or not the e-mail address has an account. */
export default pagePost({
  name: 'resend-link',
  body: resendLinkRequest,
  limit: { name: 'resend', subject: ({ email }) => email },
  handle: resendLink,
})
