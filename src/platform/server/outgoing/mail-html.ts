import { dark, light } from '#platform/domain/identity.ts'
import { routes } from '#platform/domain/routes.ts'
import { site } from '#site'

/** Writes a text so that HTML shows it as it is. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`)

export const font = "font-family:'Helvetica Neue',Helvetica,Arial,sans-serif"

/** Clients without media queries keep the light colours. */
const darkStyles = `@media (prefers-color-scheme:dark){.g{background:${dark.paper}!important}.c{background:${dark.panel}!important;border-color:${dark.line}!important}.i{color:${dark.ink}!important}.d{color:${dark.dim}!important}.b{background:${dark.ink}!important}.b a{color:${dark.paper}!important}}`

const url = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/g

/** Writes a paragraph. A URL that stands alone in its line becomes a button, one inside a sentence a link. */
function paragraph(text: string): string {
  const lines = text.split('\n')
  const last = lines.at(-1) ?? ''
  const alone = last.replace(url, '') === '' && last !== '' ? last : undefined
  // Lines are broken for plain text, and joined here. A paragraph keeps its lines if it has a list, a colon in each line,
  // or a short line before another.
  const before = alone ? lines.slice(0, -1) : lines
  const keepsLines =
    before.length > 1 &&
    (before.some((line) => /^[-*•] /.test(line)) ||
      before.every((line) => /^[^.]{1,40}: /.test(line)) ||
      before.slice(0, -1).some((line) => line.length < 40))
  const words = before
    .map((line) =>
      escaped(line).replace(
        url,
        (link) => `<a class="i" href="${link}" style="color:${light.ink};word-break:break-word">${link}</a>`,
      ),
    )
    .join(keepsLines ? '<br>' : ' ')
  return [
    words &&
      `<p class="i" style="margin:0 0 16px;color:${light.ink};${font};font-size:16px;line-height:24px">${words}</p>`,
    alone && button(escaped(alone)),
  ]
    .filter(Boolean)
    .join('')
}

const button = (link: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 8px"><tr><td class="b" bgcolor="${light.ink}" style="background:${light.ink};padding:14px 22px"><a href="${link}" style="color:${light.panel};${font};font-size:16px;font-weight:bold;text-decoration:none">${labelOf(link)}</a></td></tr></table><p class="d" style="margin:0 0 16px;color:${light.dim};${font};font-size:13px;line-height:20px;word-break:break-all">${link}</p>`

/** Names where a link of ours leads, by its path and query. */
function labelOf(link: string): string {
  const { pathname = '', search = '' } = URL.parse(link.replaceAll('&#38;', '&')) ?? {}
  const labels: readonly (readonly [start: string, label: string])[] = [
    [routes.signup, 'Create your account'],
    [routes.newPassword, 'Choose your password'],
    [routes.resend, 'Request a new link'],
    [routes.portalBilling, 'Open billing'],
    [`${routes.portal}?call=`, 'See the call'],
    [routes.portal, 'Open your portal'],
    [routes.admin, 'Open the admin area'],
    [routes.login, 'Log in'],
    [routes.pricing, 'See the plans'],
  ]
  return labels.find(([start]) => `${pathname}${search}`.startsWith(start))?.[1] ?? 'Open the page'
}

/**
 * Returns a plain-text mail as HTML, in the identity of the site: tables, inline styles and no image, because mail clients
 * support little else. The dark scheme is a media query. It says nothing that the text does not say, and its links lead where
 * the text's lead.
 */
export function mailHtml(subject: string, text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map(paragraph)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${darkStyles}</style>
</head>
<body class="g" style="margin:0;padding:0;background:${light.paper}">
<table role="presentation" class="g" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${light.paper}" style="background:${light.paper}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td class="i" style="padding:0 0 16px;color:${light.ink};${font};font-size:22px;font-weight:bold"><span style="color:${light.signal}">&#9679;</span> ${escaped(site.name)}</td></tr>
<tr><td class="c" bgcolor="${light.panel}" style="background:${light.panel};border:1px solid ${light.line};padding:28px 24px 12px">
<h1 class="i" style="margin:0 0 16px;color:${light.ink};${font};font-size:22px;line-height:28px">${escaped(subject)}</h1>
${paragraphs}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}
