import * as z from 'zod/mini'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'

/**
 * Answers the link of a mail about calls, which has the reader's token: asks once more, and ends the mails at a POST. A GET
 * changes nothing, because programs that check mails open links too.
 * @throws DatabaseError
 */
export async function stopCallMails(request: Request, { supabase }: Services): Promise<Response> {
  const token = z.safeParse(z.uuid(), new URL(request.url).searchParams.get('token')).data
  if (!token) return page(404, 'This link is not complete', '<p>Open the whole link of the mail.</p>')
  if (request.method !== 'POST')
    return page(
      200,
      'No more mails about calls?',
      '<form method="post"><button type="submit">Send me no more of them</button></form>',
    )
  return (await runSql(supabase, 'stop_call_mails', { p_token: token }, z.boolean()))
    ? page(200, 'You get no more mails about calls', '<p>You can close this page.</p>')
    : page(404, 'This link is not valid any more', '<p>You get no such mails.</p>')
}

/** Returns a page that needs no style and no script. */
const page = (status: number, title: string, content: string): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} | ${site.name}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    },
  )
