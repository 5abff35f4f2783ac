import { describe, expect, test } from 'vitest'
import { noKnowledge, type AgentKnowledge } from './knowledge.ts'
import { proposalsIn, proposalText, takeOver, type Known } from './import.ts'
import { pageText } from '#agent/server/page-text.ts'

const nothing: Known = { business: null, knowledge: noKnowledge }

interface Expected {
  business?: string
  about?: RegExp
  address?: string
  /** Monday, Saturday and Sunday. */
  hours?: [mon: string, sat: string, sun: string]
  services?: [name: string, price: string, minutes: number | null][]
  answers?: [question: string, answer: string][]
}

const page = (head: string, body: string): string =>
  pageText(
    `<!doctype html><html><head><meta charset="utf-8">${head}<style>p{color:red}</style></head><body>
    <nav><ul><li><a href="/">Home</a></li><li><a href="/contact">Contact</a></li></ul></nav>${body}
    <script>track("€99 Newsletter?")</script></body></html>`,
  )

/** A text of each industry, as its website or a leaflet has it, and all that is proposed of it. */
const texts: Record<string, [text: string, expected: Expected]> = {
  'a hotel, with data for machines': [
    page(
      `<title>Rooms &amp; rates | Hotel Lindgren</title>
      <script type="application/ld+json">{"@context":"https://schema.org","@type":"Hotel","name":"Hotel Lindgren",
      "description":"A hotel of forty rooms by the lake.","address":{"@type":"PostalAddress","streetAddress":"4 Shore Road",
      "addressLocality":"Lindgren","postalCode":"ME 04401"},"openingHoursSpecification":[{"@type":"OpeningHoursSpecification",
      "dayOfWeek":["https://schema.org/Monday","Saturday","Sunday"],"opens":"06:00","closes":"23:00"}]}</script>`,
      `<main><h1>Rooms and rates</h1><table><tr><th>Room</th><th>Price</th></tr>
      <tr><td>Double room</td><td>from $140 a night</td></tr><tr><td>Lake suite</td><td>$260 a night</td></tr></table>
      <h2>Good to know</h2><details><summary>Are dogs welcome?</summary><p>Yes, for $10 a night.</p></details>
      <details><summary>When is check-out?</summary><p>Check-out is until 11.</p></details></main>
      <footer><p>&copy; 2026 Hotel Lindgren. All rights reserved, and nothing of this page may be copied.</p></footer>`,
    ),
    {
      business: 'Hotel Lindgren',
      about: /^A hotel of forty rooms/,
      address: '4 Shore Road, ME 04401 Lindgren',
      hours: ['06:00 to 23:00', '06:00 to 23:00', '06:00 to 23:00'],
      services: [
        ['Double room', 'from $140 a night', null],
        ['Lake suite', '$260 a night', null],
      ],
      answers: [
        ['Are dogs welcome?', 'Yes, for $10 a night.'],
        ['When is check-out?', 'Check-out is until 11.'],
      ],
    },
  ],
  'a restaurant, in German': [
    page(
      `<title>Gasthof Adler</title><meta name="description" content="Schwäbische Küche seit 1890, mit Biergarten.">`,
      `<section><h2>Öffnungszeiten</h2><p>Mo&ndash;Fr: 11:30&ndash;14:00 und 17:30&ndash;22 Uhr<br>Samstag 17.30 bis 23 Uhr<br>
      Sonntag Ruhetag</p></section><section><h2>Karte</h2><ul><li>Zwiebelrostbraten &hellip; 24,50 &euro;</li>
      <li>Maultaschen 13,90 &euro;</li></ul></section><footer><h3>Anschrift</h3><p>Marktplatz 3, 72070 Tübingen</p></footer>`,
    ),
    {
      business: 'Gasthof Adler',
      about: /^Schwäbische Küche/,
      address: 'Marktplatz 3, 72070 Tübingen',
      hours: ['11:30 to 14:00 and 17:30 to 22:00', '17:30 to 23:00', 'closed'],
      services: [
        ['Zwiebelrostbraten', '24,50 €', null],
        ['Maultaschen', '13,90 €', null],
      ],
    },
  ],
  'a public office, pasted': [
    `Town Hall of Millbrook

We issue passports, permits and certificates for the eight thousand people of Millbrook.

Visit us: 12 Church Street, Millbrook, OH 45036
Opening hours: Mon, Tue and Thu 8am-4pm; Wed 8am-noon. Sat and Sun closed.

1. How do I renew my passport?
Come in person and bring a photo.
Parking permit: $60 a year

Q: Where do I pay a fine?
A: Fines are paid at counter 3.`,
    {
      business: 'Town Hall of Millbrook',
      about: /^We issue passports/,
      address: '12 Church Street, Millbrook, OH 45036',
      hours: ['08:00 to 16:00', 'closed', 'closed'],
      services: [['Parking permit', '$60 a year', null]],
      answers: [
        ['How do I renew my passport?', 'Come in person and bring a photo.'],
        ['Where do I pay a fine?', 'Fines are paid at counter 3.'],
      ],
    },
  ],
  'boat tours, with cards': [
    page(
      `<title>Blue Pier Tours</title>`,
      `<h2>Our tours</h2><div><h3>Harbour tour</h3><p>See the old docks from the water.</p><p>90 min &middot; &pound;25 per person</p></div>
      <div><h3>Sunset cruise</h3><p>With a drink on board.</p><p>&pound;48 (2 hours)</p></div>
      <h2>Daily 10:00 - 20:00</h2><h2>Find us</h2><p>Pier 4, Quay Road<br>Bristol BS1 6UN</p>
      <h2>What happens if it rains?</h2><p>The roof is closed, and we sail all the same.</p>`,
    ),
    {
      business: 'Blue Pier Tours',
      address: 'Pier 4, Quay Road, Bristol BS1 6UN',
      hours: ['10:00 to 20:00', '10:00 to 20:00', '10:00 to 20:00'],
      services: [
        ['Harbour tour', '£25 per person', 90],
        ['Sunset cruise', '£48', 120],
      ],
      answers: [['What happens if it rains?', 'The roof is closed, and we sail all the same.']],
    },
  ],
  'software, with questions for machines': [
    page(
      `<meta property="og:site_name" content="Ledgerly"><meta name="description" content="Book-keeping software for small shops.">
      <script type="application/ld+json">{"@graph":[{"@type":"FAQPage","mainEntity":[{"@type":"Question",
      "name":"Is there a free trial?","acceptedAnswer":{"@type":"Answer","text":"<p>Yes, 14&nbsp;days.</p>"}}]}]}</script>`,
      `<h2>Pricing</h2><div><h3>Solo</h3><p>$12 / month</p></div><div><h3>Team</h3><p>$39 / month</p></div>
      <p>Ready to start?</p><h2>Is there a free trial?</h2><p>Yes, 14 days.</p>`,
    ),
    {
      business: 'Ledgerly',
      about: /^Book-keeping software/,
      services: [
        ['Solo', '$12 / month', null],
        ['Team', '$39 / month', null],
      ],
      answers: [['Is there a free trial?', 'Yes, 14 days.']],
    },
  ],
  'a call centre, pasted': [
    `Name: Northline Support
Weekdays 7 am to 9 pm
Weekends: 9 am to 5 pm

How do I report a broken device? Have the serial number at hand and call us.
Can I change my address by phone? Yes, after three control questions.`,
    {
      business: 'Northline Support',
      hours: ['07:00 to 21:00', '09:00 to 17:00', '09:00 to 17:00'],
      answers: [
        ['How do I report a broken device?', 'Have the serial number at hand and call us.'],
        ['Can I change my address by phone?', 'Yes, after three control questions.'],
      ],
    },
  ],
  'a shop, in French': [
    page(
      `<title>Librairie du Port</title>`,
      `<dl><dt>Lundi</dt><dd>fermé</dd><dt>Mardi - samedi</dt><dd>9h30 - 19h</dd></dl>
      <p>18 quai des Arts<br>35400 Saint-Malo</p><p>Carte cadeau : à partir de 20 €</p>
      <p>Peut-on commander un livre ?</p><p>Oui, il arrive en deux jours.</p>`,
    ),
    {
      business: 'Librairie du Port',
      address: '18 quai des Arts, 35400 Saint-Malo',
      hours: ['closed', '09:30 to 19:00', 'closed'],
      services: [['Carte cadeau', 'à partir de 20 €', null]],
      answers: [['Peut-on commander un livre ?', 'Oui, il arrive en deux jours.']],
    },
  ],
  'a clinic, pasted from a leaflet': [
    `Welcome to Elm Street Dental!
Elm Street Dental is a family practice with four dentists and evening appointments.
Mon-Thu 9-6, Fri 9-1
Address: 77 Elm Street, Springfield, IL 62704
• Check-up, 30 min: $85
• Cleaning (45 minutes) $120
• Whitening from $390
Do I have to bring anything?
Your insurance card, and a list of your medicines.`,
    {
      business: 'Elm Street Dental',
      about: /^Elm Street Dental is a family practice/,
      address: '77 Elm Street, Springfield, IL 62704',
      hours: ['09:00 to 18:00', 'closed', 'closed'],
      services: [
        ['Check-up', '$85', 30],
        ['Cleaning', '$120', 45],
        ['Whitening', 'from $390', null],
      ],
      answers: [['Do I have to bring anything?', 'Your insurance card, and a list of your medicines.']],
    },
  ],
}

describe('a text proposes what it says, and nothing else', () => {
  test.each(Object.entries(texts))('%s', (_, [text, expected]) => {
    const found = proposalsIn(text, nothing)
    const textOf = (kind: string) => {
      const proposal = found.find((each) => each.kind === kind)
      return proposal && 'text' in proposal ? proposal.text : undefined
    }
    expect(textOf('business')).toBe(expected.business)
    if (expected.about) expect(textOf('about')).toMatch(expected.about)
    else expect(textOf('about')).toBeUndefined()
    expect(textOf('address')).toBe(expected.address)
    const hours = found.find((each) => each.kind === 'hours')?.hours
    const day = (name: 'mon' | 'sat' | 'sun') =>
      hours?.[name].map(({ from, until }) => `${from} to ${until}`).join(' and ') || 'closed'
    expect(hours && [day('mon'), day('sat'), day('sun')]).toEqual(expected.hours)
    expect(
      found.flatMap((each) =>
        each.kind === 'service' ? [[each.service.name, each.service.price, each.service.minutes]] : [],
      ),
    ).toEqual(expected.services ?? [])
    expect(found.flatMap((each) => (each.kind === 'answer' ? [[each.question, each.answer]] : []))).toEqual(
      expected.answers ?? [],
    )
  })

  test.each(['', '   \n\n', 'asdf', '🙂'.repeat(100), '?'.repeat(5_000), '1-2 3-4 '.repeat(9_000)])(
    'a text without facts (%#) proposes nothing',
    (text) => {
      expect(proposalsIn(text, nothing)).toEqual([])
    },
  )
})

test('hours are read as a person would say them', () => {
  const [hours] = proposalsIn('Mon-Fri 9-17, Sat 9am-1pm', nothing).filter(({ kind }) => kind === 'hours')
  expect(proposalText(hours!).text).toBe(
    'Monday to Friday 09:00 to 17:00, Saturday 09:00 to 13:00, Sunday closed',
  )
})

describe('what a person wrote is never replaced', () => {
  const [text] = texts['a clinic, pasted from a leaflet']!
  const written: AgentKnowledge = {
    ...noKnowledge,
    about: 'Dentists.',
    address: 'Elm Street',
    hours: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
    services: [{ name: 'check-up', price: '$90', minutes: 40 }],
    answers: [{ question: 'Do I have to bring anything?', answer: 'Nothing.', origin: 'written' }],
  }
  const known = { business: 'Elm Dental', knowledge: written }

  test('it is not proposed', () => {
    expect(proposalsIn(text, known).map((each) => proposalText(each).title)).toEqual([
      'Cleaning',
      'Whitening',
    ])
  })

  test('it stays if it was written after the proposal', () => {
    const { knowledge, business } = takeOver(proposalsIn(text, nothing), known)
    expect(business).toBe('Elm Dental')
    expect(knowledge).toEqual({
      ...written,
      services: [
        ...written.services,
        { name: 'Cleaning', price: '$120', minutes: 45 },
        { name: 'Whitening', price: 'from $390', minutes: null },
      ],
    })
  })

  test('an answer that was imported may be imported anew, and nothing is proposed twice', () => {
    const first = takeOver(proposalsIn(text, nothing), nothing)
    expect(proposalsIn(text, first)).toEqual([])
    const later = text.replace('Your insurance card,', 'Your passport,')
    const second = takeOver(proposalsIn(later, first), first)
    expect(second.knowledge.answers).toEqual([
      {
        question: 'Do I have to bring anything?',
        answer: 'Your passport, and a list of your medicines.',
        origin: 'imported',
      },
    ])
  })
})

describe('the text of a page', () => {
  test.each([
    ['<p>a<b>b</b>&amp;c &#8364; &#x20AC; &unknown;</p><p>d', 'ab&c € € &unknown;\n\nd'],
    ['<script>if (a < b) {}</script>x<style>', 'x'],
    ['<!-- <p>no</p> -->yes', 'yes'],
    ['<h2>One</h2><ul><li>Two</ul>', '# One\n\nTwo'],
    ['a < b', 'a < b'],
    ['<a title="&quot;', ''],
    [
      '<p>Recepci&oacute;n de 9&ndash;17&nbsp;h, caf&eacute &#8212; Öff&shy;nung',
      'Recepción de 9–17 h, café — Öffnung',
    ],
    [
      `<!DOCTYPE HTML><META NAME=Description CONTENT=Peluquer&iacute;a><title>Lola</title><body class=home>Hola`,
      'Name: Lola\nAbout: Peluquería\n\nHola',
    ],
    [
      `<a href=/book data-on="if (seats > 2) open()">Book</a> <img alt='Rooms > "Suites"' src=a.png>a table`,
      'Book a table',
    ],
    [
      '<svg><title>Logo</title><path d="M0 0"/></svg><button>Menu<p>Menu</p></button><p>Text<br>below<hr>end',
      'Text\nbelow\n\n---\n\nend',
    ],
  ])('%s', (html, text) => {
    expect(pageText(html)).toBe(text)
  })

  test.each(['<', '<a', '<!--', '<script>', '<p>&#'])('100,000 of %s propose nothing', (piece) => {
    expect(proposalsIn(pageText(piece.repeat(100_000)), nothing)).toEqual([])
  })

  test('ends at an element that is deeper than browsers nest them', () => {
    const nested = (depth: number) => pageText(`First${'<div>'.repeat(depth)}last`)
    expect([nested(512), nested(513)]).toEqual(['First\n\nlast', 'First'])
  })
})
