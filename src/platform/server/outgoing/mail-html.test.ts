import { describe, expect, test } from 'vitest'
import { mailHtml } from './mail-html.ts'

const link = 'https://desk.example/signup?token=a1&type=signup'
const text = `Thank you for your payment. Create your account, which
takes a minute:
${link}

Name: <Ada> & "Co"
Phone: +1 555 010 4477

A table for six
Outcome: Booked
From +1 555 010 4478, 1:15

Invoices that Stripe could not finalise, and will not charge:
- in_1

More is at https://desk.example/faq in the FAQ.

Questions? Reply to this email.
`
const html = mailHtml('Create your account', text)
const tags = [...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag = '']) => tag)
const shown = html
  .replace(/<(style|title)>[^]*?<\/\1>/g, '')
  .replace(/<[^>]+>/g, ' ')
  .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

describe('a mail as HTML', () => {
  test('is made of what all clients support: tables, inline styles, no script, no image, no file', () => {
    const supported = 'html head meta title style body table tr td h1 p a span br'.split(' ')
    expect(tags.filter((tag) => !supported.includes(tag))).toEqual([])
    expect(html).not.toMatch(/position|flex|grid|float|var\(|url\(|@import|javascript:|\son\w+=/i)
    const unstyled = [...html.matchAll(/<(?:p|td|h1|a|span)\b(?![^>]*style=)[^>]*>/g)]
    expect(unstyled.map(([tag]) => tag)).toEqual([])
    expect([...html.matchAll(/<table(?![^>]*role="presentation")/g)]).toEqual([])
    // Gmail cuts off what is longer than 102 kB.
    expect(html.length).toBeLessThan(20_000)
  })

  test('is 600 px wide at most, and fits a phone', () => {
    expect(html).toContain('width:100%;max-width:600px')
    expect(html).toContain('name="viewport"')
  })

  test('has a dark scheme, by a media query that changes every colour', () => {
    expect(html).toMatch(/@media \(prefers-color-scheme:dark\)/)
    for (const [, name] of html.matchAll(/class="(\w)"/g)) expect(html).toContain(`.${name}{`)
  })

  test('says what the text says, and nothing that a sender wrote is markup', () => {
    for (const word of text.replace(link, '').split(/\s+/)) expect(shown).toContain(word)
    expect(html).not.toContain('<Ada>')
    expect(html).toContain('&#60;Ada&#62; &#38; &#34;Co&#34;<br>Phone')
    expect(html).toContain('A table for six<br>Outcome: Booked<br>From')
    expect(html).toContain('will not charge:<br>- in_1</p>')
  })

  test('links where the text links, without tracking; a link of its own line is a button', () => {
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&#38;', '&'),
    )
    expect(targets).toEqual([link, 'https://desk.example/faq'])
    expect(html).toMatch(/text-decoration:none">Create your account<\/a>/)
  })
})

test.each([
  ['/signup?token=a1', 'Create your account'],
  ['/new-password?token=a1', 'Choose your password'],
  ['/resend', 'Request a new link'],
  ['/portal/billing?pay', 'Open billing'],
  ['/portal?call=1', 'See the call'],
  ['/portal', 'Open your portal'],
  ['/admin/payments', 'Open the admin area'],
  ['/login?email=a%40b.example', 'Log in'],
  ['/pricing', 'See the plans'],
  ['/terms', 'Open the page'],
])('the button to %s says: %s', (path, label) => {
  expect(mailHtml('Hello', `What to do next:\nhttps://desk.example${path}`)).toContain(`>${label}</a>`)
})
