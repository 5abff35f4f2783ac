import { setTimeout as wait } from 'node:timers/promises'
import type { PasswordResetAnswer } from '#account/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { site } from '#site'
import { beginLink, endLink, passwordLink } from './account-link.ts'
import { sendMail } from '#platform/server/mail.ts'
import type { Services } from '#platform/server/services.ts'

/** Every answer takes this long (ms), and what is mailed is mailed behind it. */
const answersAfter = 600

interface Letter {
  subject: string
  /** @param link of our site, with a token */
  text: (link: string) => string
}

/**
 * Mails the holder of an address a link with which a password is set, if the address has paid or has an account. The
 * answer, and the time it takes, are the same whether or not it has.
 * @param later does work behind the answer
 */
const mailPasswordLink =
  (letter: Letter) =>
  async (
    { email }: { email: string },
    connected: Services,
    { later }: { later(work: () => Promise<unknown>): void },
  ): Promise<Result<PasswordResetAnswer>> => {
    later(async () => {
      const { supabase, env } = connected
      const { known, link: due } = await beginLink(supabase, email)
      const link = known ? await passwordLink(email, connected) : undefined
      if (!link) return
      await sendMail({ to: email, subject: letter.subject, text: letter.text(link) }, env)
      if (due) await endLink(supabase, due, true)
    })
    await wait(answersAfter)
    return { ok: true, value: { accepted: true } }
  }

/** For who has forgotten the password. */
export const requestPasswordReset = mailPasswordLink({
  subject: `Set a new ${site.name} password`,
  text: (link) => `Somebody asked for a new password for your ${site.name} account.

Set it here:
${link}

The link works once. If it was not you, ignore this mail: your password stays as it is.
`,
})

/** For who has paid and lost the link to the account. */
export const resendLink = mailPasswordLink({
  subject: `Your link to ${site.name}`,
  text: (link) => `Somebody asked for the link to your ${site.name} account.

Set your password here, then log in:
${link}

The link works once, for a day. If it was not you, ignore this mail: nothing changes.
`,
})
