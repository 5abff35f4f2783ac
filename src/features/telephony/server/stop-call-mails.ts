import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { site } from '#site'
import { runSql } from '#platform/server/database.ts'
import { dark, light } from '#platform/domain/identity.ts'
import { font } from '#platform/server/outgoing/mail-html.ts'
import type { Services } from '#platform/server/services.ts'

/**
 * Answers the link of a mail about calls, which has the reader's token: asks once more, and ends the mails at a POST. A GET
 * changes nothing, because programs that check mails open links too.
 * @throws DatabaseError
 */
export async function stopCallMails(request: Request, { supabase }: Services): Promise<Response> {
  const token = z.safeParse(z.uuid(), new URL(request.url).searchParams.get('token')).data
  if (!token)
    return page(404, 'This link is not complete', 'Open the whole link in the email, or reply to the email.')
  const reader = { p_token: token }
  const hasStopped = await runSql(supabase, 'has_stopped_call_mails', reader, z.nullable(z.boolean()))
  if (hasStopped === null)
    return page(
      404,
      'This link is not valid',
      'It may belong to an account that no longer exists. You get no emails through it.',
    )
  if (hasStopped)
    return page(200, 'You get no emails about calls', 'You have ended them before. You can close this page.')
  if (request.method !== 'POST')
    return page(
      200,
      'No more emails about calls?',
      'The calls are answered as before. Only the emails to your address end.',
      '<form method="post"><button type="submit">Send me no more of them</button></form>',
    )
  await runSql(supabase, 'stop_call_mails', reader, z.unknown())
  return page(200, 'You get no more emails about calls', 'You can close this page.')
}

const style = `*{box-sizing:border-box}
body{min-height:100vh;display:flex;flex-direction:column;margin:0;background:${light.paper};color:${light.ink};${font};font-size:16px;line-height:1.5}
header,main,footer{width:100%;max-width:1280px;margin:0 auto;padding:24px;border:solid ${light.line};border-width:0 1px}
header{font-size:22px;font-weight:bold}
header span{color:${light.signal}}
main{flex:1;padding-block:64px;border-top-width:1px;border-bottom-width:1px}
h1{max-width:14em;margin:0 0 16px;font-size:clamp(36px,5vw,64px);line-height:1.02;letter-spacing:-.025em;text-wrap:balance}
p{max-width:62ch;margin:0;font-size:18px}
footer{font-size:14px}
p,footer{color:${light.dim}}
button{min-height:48px;margin-top:32px;padding:0 20px;border:0;border-radius:3px;background:${light.ink};color:${light.panel};font:inherit;font-weight:bold;cursor:pointer}
button::before{content:"";display:inline-block;width:10px;height:10px;margin-right:12px;border-radius:50%;background:${light.signal}}
button:focus-visible{outline:3px solid ${light.signal};outline-offset:3px}
@media(prefers-color-scheme:dark){
body{background:${dark.paper};color:${dark.ink}}
header,main,footer{border-color:${dark.line}}
p,footer{color:${dark.dim}}
button{background:${dark.ink};color:${dark.paper}}
}`
const policy = [
  "default-src 'none'",
  // The empty icon, so that the browser asks for none.
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns a page that needs no script and no file. */
const page = (status: number, title: string, text: string, form = ''): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="data:," />
    <title>${title} | ${site.name}</title>
    <style>${style}</style>
  </head>
  <body>
    <header><span aria-hidden="true">●</span> ${site.name}</header>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
      ${form}
    </main>
    <footer>${site.address.join(', ')}</footer>
  </body>
</html>
`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    },
  )
