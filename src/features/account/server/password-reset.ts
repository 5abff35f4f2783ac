import { setTimeout as wait } from 'node:timers/promises'
import type { PasswordResetAnswer } from '#account/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { startJob } from '#platform/server/jobs.ts'
import { accountLinks, requestLink, type LinkMail } from './account-link.ts'
import type { Invocation } from '#platform/server/http.ts'
import type { Services } from '#platform/server/services.ts'

/** Every response takes this long, in milliseconds; the mail is sent beside it. */
const responseDelay = 600

/**
 * Returns a handler that mails the owner of an e-mail a link to set a password, if the e-mail has paid or has an account.
 * The response, and the time that it takes, are the same for all other e-mails.
 */
const mailPasswordLink =
  (mail: LinkMail) =>
  async (
    { email }: { email: string },
    connected: Services,
    { defer }: Pick<Invocation, 'defer'>,
  ): Promise<Result<PasswordResetAnswer>> => {
    const delay = wait(responseDelay)
    const user = await requestLink(email, mail, connected)
    if (user) defer(() => startJob(accountLinks, user, connected))
    await delay
    return { ok: true, value: { accepted: true } }
  }

/** Handles the request of customers who have forgotten their password. */
export const requestPasswordReset = mailPasswordLink('reset')

/** Handles the request of customers who have paid and lost the link to their account. */
export const resendLink = mailPasswordLink('resend')
