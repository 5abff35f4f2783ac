import type { IndustryTemplateId } from '#agent/domain/industry-templates.ts'

/** When calls are forwarded. */
export const forwardingCases = ['all', 'busy', 'unanswered'] as const
export type ForwardingCase = (typeof forwardingCases)[number]

/** What is dialled to forward calls, and to undo it. */
interface Codes {
  begin: (number: string) => string
  end: string
}

/** A carrier, or a kind of line that several have, with the codes that its source names. */
interface Carrier {
  name: string
  /** Whether the phone is one that is carried, or one that stands on a desk. */
  phone: 'mobile' | 'desk'
  codes: Partial<Record<ForwardingCase, Codes>>
  /** Where the codes are written. */
  source: string
  note?: string
}

interface ForwardingCountry {
  /** ISO 3166-1. */
  code: string
  carriers: readonly Carrier[]
}

type Dial = (number: string) => string

/** Dials a number as it is written in E.164. */
const international: Dial = (number) => number
/**
 * Dials a number from a fixed line, which has no plus sign: nationally within the country.
 * @param prefix the country's, such as +44
 * @param trunk what precedes a national number
 */
const fixed =
  (prefix: string, trunk: string): Dial =>
  (number) =>
    number.startsWith(prefix) ? trunk + number.slice(prefix.length) : number.replace('+', '00')
const northAmerican: Dial = (number) =>
  number.startsWith('+1') ? number.slice(2) : number.replace('+', '011')

const services: Record<ForwardingCase, number> = { all: 21, busy: 67, unanswered: 61 }

const codesOf = (codesFor: (service: number) => Codes, cases: readonly ForwardingCase[] = forwardingCases) =>
  Object.fromEntries(cases.map((each) => [each, codesFor(services[each])])) as Carrier['codes']

const standard = '3GPP TS 22.030, annex B'
const ask = 'Nearly all mobile networks take these codes. If yours does not, ask your carrier.'
/** The codes of mobile networks all over the world. */
const gsm = codesOf((service) => ({
  begin: (number) => `**${service}*${international(number)}#`,
  end: `##${service}#`,
}))
const anyMobile: Carrier = {
  name: 'Any mobile network',
  phone: 'mobile',
  codes: gsm,
  source: standard,
  note: ask,
}
const mobile = (name: string, source: string): Carrier => ({
  name,
  phone: 'mobile',
  codes: gsm,
  source: `${standard}; ${source}`,
})

/** The codes of fixed lines in much of Europe. */
const europeanLine = (dial: Dial, cases?: readonly ForwardingCase[]) =>
  codesOf((service) => ({ begin: (number) => `*${service}*${dial(number)}#`, end: `#${service}#` }), cases)

/** The codes of fixed lines in North America. */
const northAmericanLine: Carrier['codes'] = {
  all: { begin: (number) => `*72 ${northAmerican(number)}`, end: '*73' },
  busy: { begin: (number) => `*90 ${northAmerican(number)}`, end: '*91' },
  unanswered: { begin: (number) => `*92 ${northAmerican(number)}`, end: '*93' },
}
const afterTone =
  'Wait for the tone after the first digits. Some carriers switch the service on only on request.'
const unanswered: Codes = { begin: (number) => `*71 ${northAmerican(number)}`, end: '*73' }

/** A phone whose calls are forwarded in its settings, or by its provider. */
const phoneSystem: Carrier = {
  name: 'Phone system, or another landline',
  phone: 'desk',
  codes: {},
  source: '',
  note: 'Enter the number as the target of the forwarding in the settings of your phone system, or ask the provider of your line to do it.',
}

/** The forwarding codes by country and carrier, each with its source. A case without a source has no codes. */
export const forwardingCountries: readonly ForwardingCountry[] = [
  {
    code: 'US',
    carriers: [
      anyMobile,
      mobile('T-Mobile', 'https://veradial.com/help/call-forwarding-t-mobile-business'),
      {
        name: 'Verizon Wireless',
        phone: 'mobile',
        codes: {
          all: { begin: (number) => `*72 ${northAmerican(number)}`, end: '*73' },
          busy: unanswered,
          unanswered,
        },
        source: 'https://callsaver.ai/blog/forward-calls-from-any-us-carrier-to-an-ai-answering-service',
        note: 'One code forwards both busy and unanswered calls.',
      },
      {
        name: 'Landline',
        phone: 'desk',
        codes: northAmericanLine,
        source: 'https://www.champlaintechnology.com/support/call-forwarding/',
        note: afterTone,
      },
    ],
  },
  {
    code: 'CA',
    carriers: [
      anyMobile,
      mobile('Telus Mobility', 'http://www.telusmobility.com/en/ON/support_services/callforwarding.shtml'),
      {
        name: 'Landline',
        phone: 'desk',
        codes: northAmericanLine,
        source: 'https://help.mornington.ca/telephone/general-telephone-questions',
        note: afterTone,
      },
    ],
  },
  {
    code: 'GB',
    carriers: [
      anyMobile,
      {
        name: 'BT landline',
        phone: 'desk',
        codes: europeanLine(fixed('+44', '0')),
        source: 'https://www.bt.com/help/landline/all-about-call-diversion',
        note: 'Order Call Diversion from BT first.',
      },
      {
        name: 'Sky or TalkTalk landline',
        phone: 'desk',
        codes: europeanLine(fixed('+44', '0'), ['all', 'unanswered']),
        source:
          'https://connection-technologies.co.uk/help/apn-settings/divert-landline-calls-to-mobile-uk-codes-for-bt-sky-virgin-voip',
      },
      {
        name: 'Virgin Media landline',
        phone: 'desk',
        codes: europeanLine(fixed('+44', '0'), ['all']),
        source:
          'https://community.virginmedia.com/t5/Home-Phone/Digital-Landline-21CV-Call-Divert-Call-Forwarding-Purple-Zone/td-p/5410066',
        note: 'It does not work while voicemail is on.',
      },
    ],
  },
  { code: 'IE', carriers: [anyMobile] },
  {
    code: 'DE',
    carriers: [
      anyMobile,
      {
        name: 'Telekom landline',
        phone: 'desk',
        codes: europeanLine(fixed('+49', '0')),
        source:
          'https://verivox.de/internet/ratgeber/rufumleitung-fuers-festnetz-einrichten-so-geht-es-1119118',
      },
    ],
  },
  { code: 'AT', carriers: [anyMobile] },
  {
    code: 'CH',
    carriers: [
      anyMobile,
      {
        name: 'Swisscom landline',
        phone: 'desk',
        codes: codesOf((service) => ({
          begin: (number) => `*${service} ${fixed('+41', '0')(number)}#`,
          end: `#${service}#`,
        })),
        source:
          'http://www.swisscom.ch/en/res/hilfe/loesung/leiten-sie-ihre-anrufe-um-services-21-61-67.html',
      },
    ],
  },
  { code: 'FR', carriers: [anyMobile] },
  {
    code: 'ES',
    carriers: [
      anyMobile,
      mobile(
        'Movistar mobile',
        'https://comunidad.movistar.es/discussions/miMovistar/tarifa-desvio-de-llamadas/1794006',
      ),
    ],
  },
  {
    code: 'IT',
    carriers: [
      anyMobile,
      mobile(
        'TIM or Vodafone mobile',
        'http://cellulari.tecnocino.it/articolo/trasferimento-chiamata-con-tim-e-vodafone/8809/',
      ),
      {
        name: 'Landline',
        phone: 'desk',
        codes: europeanLine(fixed('+39', ''), ['all']),
        source: 'https://taglialabolletta.it/trasferimento-di-chiamata',
        note: 'TIM switches the service on by telephone first, at 187.',
      },
    ],
  },
  { code: 'NL', carriers: [anyMobile] },
  { code: 'PT', carriers: [anyMobile] },
  { code: 'BR', carriers: [anyMobile] },
  { code: 'MX', carriers: [anyMobile] },
  { code: 'SE', carriers: [anyMobile] },
  {
    code: 'DK',
    carriers: [
      anyMobile,
      mobile('Happii Mobil', 'https://www.happiimobil.dk/support/FAQ/show/?heading=1068&id=4536'),
    ],
  },
  {
    code: 'NO',
    carriers: [
      anyMobile,
      {
        name: 'Phonero landline',
        phone: 'desk',
        codes: gsm,
        source: 'https://www.phonero.no/info/viderekobling-av-fasttelefon',
      },
    ],
  },
  { code: 'FI', carriers: [anyMobile] },
  { code: 'PL', carriers: [anyMobile] },
]

/** The trades whose phone stands on a desk. */
const tradesWithDesk: readonly (IndustryTemplateId | null)[] = [
  'hospitality',
  'healthcare',
  'retail',
  'hotels-resorts',
  'restaurants-cafes',
  'government-services',
  'call-centers-bpos',
  'clinics-wellness',
]

/** Returns the carriers of a country in the order in which a business of this trade looks for its own. */
export function carriersFor(
  { carriers }: ForwardingCountry,
  trade: IndustryTemplateId | null,
): readonly Carrier[] {
  const first = tradesWithDesk.includes(trade) ? 'desk' : 'mobile'
  return [
    ...carriers.filter(({ phone }) => phone === first),
    ...(first === 'desk' ? [phoneSystem] : []),
    ...carriers.filter(({ phone }) => phone !== first),
    ...(first === 'desk' ? [] : [phoneSystem]),
  ]
}

/** Returns the country of a locale such as en-GB, or the first one if its codes are not known. */
export const countryOf = (locale: string): ForwardingCountry =>
  forwardingCountries.find(({ code }) => locale.endsWith(`-${code}`)) ?? forwardingCountries[0]!
