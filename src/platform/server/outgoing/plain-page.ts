import { createHash } from 'node:crypto'
import { site } from '#site'
import { dark, light } from '#platform/domain/identity.ts'
import { escaped, font } from '#platform/server/outgoing/mail-html.ts'

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
form,details{margin-top:32px}
form button{margin-top:0}
p+p,form+p{margin-top:32px}
p+form{margin-top:16px}
label{display:block;margin-bottom:16px;font-weight:bold}
input{display:block;min-height:48px;margin-top:6px;padding:0 12px;border:1px solid ${light.edge};border-radius:3px;background:${light.panel};color:inherit;font:inherit}
summary,a{color:inherit;text-underline-offset:.22em}
summary{display:inline-block;padding:12px 0;cursor:pointer;text-decoration:underline}
details form{margin-top:12px}
form button+button{margin-left:12px}
button::before{content:"";display:inline-block;width:10px;height:10px;margin-right:12px;border-radius:50%;background:${light.signal}}
:is(button,input,summary,a):focus-visible{outline:3px solid ${light.signal};outline-offset:3px}
@media(max-width:30em){form button{display:block;width:100%;text-align:left}form button+button{margin:12px 0 0}}
@media(prefers-color-scheme:dark){
body{background:${dark.paper};color:${dark.ink}}
header,main,footer{border-color:${dark.line}}
p,footer{color:${dark.dim}}
button{background:${dark.ink};color:${dark.paper}}
input{border-color:${dark.edge};background:${dark.panel}}
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

/**
 * Returns a page that needs no script and no file, for the link of a mail.
 * @param title plain text
 * @param text plain text
 * @param form HTML
 */
export const plainPage = (status: number, title: string, text: string, form = ''): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="data:," />
    <title>${escaped(title)} | ${site.name}</title>
    <style>${style}</style>
  </head>
  <body>
    <header><span aria-hidden="true">●</span> ${site.name}</header>
    <main>
      <h1>${escaped(title)}</h1>
      <p>${escaped(text)}</p>
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
        'x-content-type-options': 'nosniff',
      },
    },
  )
