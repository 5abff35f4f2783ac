import { setTimeout as wait } from 'node:timers/promises'
import type { PasswordResetAnswer, PasswordResetRequest } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { routes } from '#domain/routes.ts'
import { site } from '#site'
import { logFailure } from './log.ts'
import { sendMail } from './mail.ts'
import type { Services } from './services.ts'

/** No answer comes sooner (ms), so that a mail that is sent takes no longer than one that is not. */
const shortestAnswer = 600

/**
 * Mails a link with which the holder of an address sets a new password. The answer, and the time it takes, are the
 * same whether or not there is an account.
 */
export async function requestPasswordReset(
  { email }: PasswordResetRequest,
  connected: Services,
): Promise<Result<PasswordResetAnswer>> {
  await Promise.all([
    mailLink(email, connected).catch((error: unknown) => logFailure('password-reset', error)),
    wait(shortestAnswer),
  ])
  return { ok: true, value: { accepted: true } }
}

async function mailLink(email: string, { supabase, env }: Services): Promise<void> {
  const { data, error } = await supabase.auth.admin.generateLink({ type: 'recovery', email })
  if (error?.code === 'user_not_found') return
  if (error) throw error
  const query = new URLSearchParams({ token: data.properties.hashed_token })
  await sendMail(
    {
      to: email,
      subject: `Set a new ${site.name} password`,
      text: letter(`${env.PUBLIC_SITE_URL}${routes.newPassword}?${query}`),
    },
    env,
  )
}

const letter = (link: string): string => `Somebody asked for a new password for your ${site.name} account.

Set it here:
${link}

The link works once. If it was not you, ignore this mail: your password stays as it is.
`
