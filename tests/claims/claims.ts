import { currencyName } from '#plans/domain/plans.ts'
import { site } from '#site'

/** What makes a sentence true: a test, by a part of its title, or a text in a file that an operator sets or keeps to. */
export type Proof = { test: string; title: string } | { set: string; text: string }

export interface Claim {
  /** The sentences that say it. */
  says: RegExp
  /** The pages on which the sentences count; every page if absent. */
  on?: RegExp
  by: readonly Proof[]
}

const proven = (test: string, ...titles: string[]): Proof[] => titles.map((title) => ({ test, title }))
const set = (file: string, text: string): Proof => ({ set: file, text })

const it = {
  telephony: 'tests/integration/telephony.test.ts',
  recordedCalls: 'tests/integration/recorded-calls.test.ts',
  calls: 'tests/integration/call-report.test.ts',
  alerts: 'tests/integration/usage-alerts.test.ts',
  minutes: 'tests/integration/minutes.test.ts',
  debts: 'tests/integration/debts.test.ts',
  deletion: 'tests/integration/delete-account.test.ts',
  sample: 'tests/integration/check-voice-sample.test.ts',
  leads: 'tests/integration/leads.test.ts',
  rows: 'tests/integration/reliability/rows.test.ts',
  webhooks: 'tests/integration/reliability/webhooks.test.ts',
  connections: 'tests/integration/connections-of-customers.test.ts',
  calendars: 'tests/integration/calendars.test.ts',
  security: 'tests/integration/security.test.ts',
  auth: 'tests/integration/auth.test.ts',
  reset: 'tests/integration/password-reset.test.ts',
  plans: 'src/features/plans/domain/plans.test.ts',
  prompt: 'src/features/agent/domain/prompt.test.ts',
  ring: 'src/features/telephony/domain/ring.test.ts',
  vapiLine: 'src/features/telephony/server/vapi/vapi-line.test.ts',
  roi: 'src/features/marketing/domain/roi/roi.test.ts',
  pages: 'tests/budgets/pages.test.ts',
  ownAgent: 'tests/e2e/voice-agent.spec.ts',
  talk: 'tests/integration/talk.test.ts',
  journey: 'tests/e2e/journey.spec.ts',
  loop: 'tests/e2e/agent-loop.spec.ts',
  checkout: 'tests/e2e/checkout.spec.ts',
  recordings: 'tests/e2e/recordings.spec.ts',
  myData: 'tests/e2e/my-data.spec.ts',
}

const answersTheLine = [
  ...proven(it.telephony, 'gets a number, answers from what it was taught', '83. A thousand rings'),
  ...proven(it.ring, 'a number that nobody has is refused in words'),
]
const booking = proven(
  it.connections,
  'the calendar has each booking once',
  'is told of calls, bookings and the limit',
)
const taught = [
  ...proven(it.telephony, 'gets a number, answers from what it was taught'),
  ...proven(it.prompt, 'has all that a customer with the template %s has taught'),
]
const catalogue = proven(it.plans, 'what a plan says in words is made from its figures')
const callLog = [
  ...proven(it.calls, 'is stored, and debits its minutes'),
  ...proven(it.loop, 'and the call is in the portal'),
]
const ending = proven(it.webhooks, 'a cancelled subscription runs until its period ends')
const export_ = [
  ...proven(it.myData, 'a customer exports all data', 'a customer deletes the account, by keyboard'),
  ...proven(it.deletion, 'ends the subscription, leaves no data'),
]
/** What a person of the operator's does; docs/operations.md says when. */
const operator = (text: string) => [set('docs/claims.md', text)]

/** Every claim that a visitor reads, and what makes it true. */
export const claims: readonly Claim[] = [
  // The calls
  {
    says: /24\/7|24 hours a day|around the clock|picks up|Your phone is not|never an endless ring|Guests reach a voice|AI voice agent for your business phone|provides AI voice agents|hear a voice|guests are heard|calls you miss, the calls you dread|Calls no longer wait/,
    by: answersTheLine,
  },
  {
    says: /forward|keep your number|nothing changes for your callers|those that you cannot take|Which calls reach it|no new number is needed/i,
    by: proven(it.telephony, 'a ring follows what the customer has set', '83. A thousand rings'),
  },
  { says: /inbound and outbound|Outbound calls/, by: operator('Outbound calls') },
  {
    says: /passing calls on|hands over what needs|person who takes over|takes a message instead/,
    by: proven(it.prompt, 'puts calls through only if there is a person'),
  },
  {
    says: /books appointments|Appointments and changes taken|booking is in your calendar|bookings? is taken|is in the calendar|[Bb]ookings go into your|books? by your rules|books one|the demo is in|Takes the (time|day|tour|dates)/i,
    by: booking,
  },
  {
    says: /^(Answers?|Explains|Finds out|Takes|Notes|Offers|Lists|Gives|Continues|Walks|Asks|Says|Tells|Names|Every call)\b/,
    on: /^\/industries\//,
    by: taught,
  },
  {
    says: /puts? the caller through|to the person you/,
    on: /^\/industries\//,
    by: proven(it.prompt, 'puts calls through only if there is a person'),
  },
  {
    says: /has it in writing|emails (it|both)/,
    on: /^\/industries\//,
    by: proven(it.recordedCalls, '93. Each reader gets one mail a call'),
  },
  { says: /set up together with you/, on: /^\/industries\//, by: operator('Outbound calls') },
  {
    says: /your CRM|the CRM/,
    on: /^\/industries\//,
    by: proven(it.connections, 'is told of calls, bookings and the limit'),
  },
  {
    says: /once you have taught it|You decide what your agent says|First-line answers|travellers call|in their language|agent answers or takes|handles what repeats|takes the peaks|agent takes the bookings|agent takes the change|Residents (hear|learn)|Cases arrive|answered while your shop|your team reads in writing|everything is written down|callers still reach somebody/i,
    on: /^\/industries\//,
    by: taught,
  },
  {
    says: /starts with the questions your callers ask/,
    by: proven(it.prompt, 'has all that a customer with the template'),
  },
  {
    says: /transcript|sentiment|caller’s mood/,
    by: callLog,
  },
  { says: /30\+ languages/, by: proven(it.vapiLine, '30 languages are offered') },
  { says: /As many as your plan has phone lines/, by: proven(it.telephony, '210. A plan with one line') },
  {
    says: /does not (know|have that information)|never guesses|misunderstand a caller|Check bookings|check bookings/,
    by: [
      ...proven(it.prompt, 'has all that a customer'),
      ...proven(it.ownAgent, 'says when it does not know'),
    ],
  },
  { says: /must not be used for emergency/, by: operator('Emergencies') },
  // Voices
  {
    says: /voice cloning|cloned? voice|which we make from it|Voice cloning/i,
    by: [
      ...catalogue,
      ...proven(it.telephony, 'the voice that was made from the customer’s sample'),
      ...operator('Voice cloning'),
    ],
  },
  {
    says: /[Tt]hree voice styles|Both voices come from a speech synthesiser|play (each|the)/i,
    by: proven(it.recordings, 'a voice is fetched when it is played'),
  },
  {
    says: /voice samples?|written permission/i,
    by: proven(it.sample, 'a recording becomes the voice once', 'the consent is kept with the recording'),
  },
  {
    says: /have pages of their own|every business with a front desk/,
    by: proven(it.pages, 'every page of the specification is built'),
  },
  // Plans and money
  {
    says: /\p{Sc}\d|\{\{plan\.|minutes (a|each|for each) (month|billing)|depends on your plan|includes? \d|minutes named above|minutes of each plan|phone lines?|lists the phone lines|One dot is|priced by (contract|volume)|agreed by contract|as many as you need/u,
    by: [...catalogue, ...proven(it.pages, 'quotes no price that is not in the catalogue')],
  },
  {
    says: /usage alert|used up/i,
    by: proven(it.alerts, '50, 80 and 100 percent of the minutes are each mailed once'),
  },
  {
    says: /^Billing: change your plan/,
    by: [
      ...proven('tests/e2e/plan-change.spec.ts', 'a plan is upgraded with 3-D Secure'),
      ...proven('tests/e2e/packages.spec.ts', 'a package is bought in the billing tab'),
      ...proven('tests/e2e/invoices.spec.ts', 'its lines open to the calls'),
    ],
  },
  {
    says: /^If a renewal fails/,
    by: [
      ...proven('tests/e2e/grace.spec.ts', 'until when the agent answers, and Pay now clears it'),
      ...proven('tests/e2e/invoices.spec.ts', 'an open invoice is paid with another card'),
    ],
  },
  {
    says: /minute packages?|\{\{package|package of|The minutes of a plan|What is left of a package/,
    by: proven(it.minutes, 'packages are used after the plan'),
  },
  {
    says: /minute( of a call)? that has begun counts/,
    by: proven(it.calls, 'is stored, and debits its minutes'),
  },
  {
    says: /change (your|the) plan|upgrade|in the billing tab of your portal\.$/,
    by: proven(it.minutes, '85. An upgrade grants'),
  },
  {
    says: new RegExp(
      `setup fee|no tax|card is charged the price|billed by the month|in advance|charged the plan price|(billed|plans|Prices are) in (${currencyName}|\\{\\{currency)`,
    ),
    by: proven(it.checkout, 'price, note and links are as specified'),
  },
  {
    says: /By card|pay by card|Card details|card details/,
    by: [
      ...proven(it.checkout, 'a double click buys once'),
      ...proven(it.security, 'leaves no e-mail, token, key or IP address in the log'),
    ],
  },
  {
    says: /no minimum term|can end your subscription|end yours|until the (end of the month|paid)|runs until|At any time, in your portal|Your agent answers until/,
    by: ending,
  },
  { says: /payment fails/, by: proven(it.webhooks, '28. Renewal fails') },
  {
    says: /While a renewal is unpaid/,
    by: proven(it.debts, '185. A declined renewal grants a day’s minutes'),
  },
  {
    says: /is never paid, the minutes used of it|a code that stands for its card/,
    by: proven(
      it.debts,
      '186. Whoever buys again gives back',
      '187. The same card with another e-mail',
      '214. Packages are used',
      '215. An account is deleted',
    ),
  },
  { says: /no money-back|\{\{guarantee/, by: [set('src/site.ts', 'guaranteeDays')] },
  {
    says: /credited, up to a limit/,
    by: [
      ...proven('tests/postgres/concurrency.test.ts', '92. 20 calls are marked at once'),
      ...proven('tests/e2e/call-care.spec.ts', 'blocks the caller'),
    ],
  },
  { says: /no free trial/, by: proven(it.checkout, 'price, note and links are as specified') },
  {
    says: /Multiply the calls|lost bookings cost|costs \p{Sc}|plain arithmetic|takes all your calls|every day\.|agent books all of those|compare its price/u,
    by: proven(
      it.roi,
      'of the example, reckoned by hand',
      'is always the cheapest plan whose minutes suffice, or a cheaper one with packages',
    ),
  },
  // The way to the first call
  { says: /5 to 10 business days/, by: operator('Setup') },
  {
    says: /voice and an industry template|short wizard|test the agent|Test the agent|leave it and come back|Three steps|subscribe online|create your account|number your callers dial/i,
    by: proven(it.journey, 'a visitor buys Growth and reaches the portal'),
  },
  {
    says: /log-in page|send a link/,
    by: proven(it.reset, 'a known e-mail gets a link that sets a new password'),
  },
  {
    says: /Ask the agent|Ask me|ask me for|I am an AI|Ask about plans|talk to me|quickest way to reach us|offer a call back/,
    by: proven(it.ownAgent, 'it answers from the site', 'who marks it as done', 'is led to one'),
  },
  {
    says: /We answer by email|see which account it is about/,
    on: /^\/contact/,
    by: proven(it.leads, 'for help says to the operator which account is logged in'),
  },
  { says: /I answer in it/, by: proven(it.talk, 'words are streamed as they come') },
  { says: /portal/, by: proven(it.journey, 'a visitor buys Growth and reaches the portal') },
  // Other systems
  {
    says: /Salesforce|API|systems you connect|integrations/i,
    by: proven(it.connections, '103. A key of one account', 'is told of calls'),
  },
  {
    says: /as .*specifies|within 7 seconds|Redirects are not|is sent again|must be public|five days|status 410|latest first|can be revoked|limited to 300|in your CRM|calendar address|shows bookings|request that you have to confirm/,
    on: /^\/integrations/,
    by: proven(
      it.connections,
      '101. A webhook leads inside',
      '102. A customer’s server is down',
      '103. A key of one account',
      'goes through a long list page by page',
    ),
  },
  {
    says: /CalDAV|app password|written into your calendar|an entry is written|stays as you left it/,
    by: proven(it.calendars, '143. The answer to a booking written', 'a test is written and removed'),
  },
  // Trust
  {
    says: /admin area has no access/,
    by: proven(it.calls, 'customers see only their own; the admin and visitors see none'),
  },
  {
    says: /begins each call by saying|also says that it is an AI/,
    by: proven(it.prompt, 'say that the call is recorded only if it is'),
  },
  {
    says: /it says that it is an AI/,
    by: [set('src/features/agent/domain/prompt.ts', 'say that you are an AI')],
  },
  {
    says: /never asks for card numbers/,
    by: [set('src/features/agent/domain/prompt.ts', 'Never ask for card numbers')],
  },
  { says: /report was lost is found/, by: proven(it.telephony, '82. A hundred calls') },
  {
    says: /fallback number/,
    by: proven(it.telephony, '83. A thousand rings'),
  },
  {
    says: /goes through the voice provider|train no model|sub-processors|new sub-processor|commit to/,
    by: operator('Sub-processors'),
  },
  {
    says: /^(Agent|Trust): |new for you/,
    on: /^\/changelog/,
    by: proven(it.loop, 'teaches the agent, its number rings'),
  },
  // Data
  { says: /90 days/, by: proven(it.recordedCalls, 'After 90 days it is deleted here and at the provider') },
  { says: /[Ee]xport/, by: export_ },
  { says: /Account: your email|password as a hash/, by: proven(it.auth, 'is refused with a wrong password') },
  {
    says: /^Payment: references/,
    by: proven(it.security, 'leaves no e-mail, token, key or IP address in the log'),
  },
  {
    says: /Requests?: the name|A request that you leave/,
    by: proven(it.leads, 'is a row, a mail to the operator'),
  },
  { says: /Account data is kept/, by: proven(it.deletion, 'ends the subscription, leaves no data') },
  { says: /GDPR|data processing|on the customer’s behalf/, by: [...export_, ...operator('GDPR and HIPAA')] },
  {
    says: /do not sell data|what (its|their) task needs|Providers that work for us/,
    by: operator('Sub-processors'),
  },
  {
    says: /local storage|advertising cookies/,
    by: proven('tests/e2e/first-visit.spec.ts', 'requests only itself and a small script'),
  },
  { says: /microphone first/, by: proven(it.ownAgent, 'it answers from the site') },
  { says: /^Connections are encrypted/, by: proven(it.security, 'every page: HTTPS only') },
  {
    says: /separated in the database|In one database/,
    by: proven(it.rows, '38. Customer A reads B → nothing'),
  },
  {
    says: /talk(ing)? to an AI|calls may be recorded/,
    by: proven(it.prompt, 'say that the call is recorded only if it is'),
  },
  { says: /99\.9%|aim and not a guarantee/, by: operator('Uptime') },
  { says: /account can be blocked/i, by: proven(it.webhooks, '29. A blocked user pays') },
  { says: /announce changes|tell us and we delete it|in touch|write to us|Write to/i, by: operator('Mail') },
]

/**
 * Sentences that claim nothing about the product: what callers say and other examples, questions, invitations, rules for
 * the customer, and law.
 */
export const noClaims: readonly RegExp[] = [
  /\?[”"]?$/,
  /[“”]/,
  new RegExp(`^(Agent|Caller|${site.name})[A-Z]`),
  // The scenes and the example calls.
  /^(Your desk is closed|We will see you|Thursday, |Play one as if|If you would like a room|I can book, change|Great timing|It is right by)/,
  /^(And I have|I will put you|Two free times|The name is|You are booked|A guest wants|We will be there|Your room is|Eight is full|The agent offers|One of us|Your table|The number is|It left our|They will call|See you)/,
  /^(A change and a|The question goes|An appointment, and|A delivery date|One thing to try|A free time|Two places at)/,
  /^(An example|A phone agent for every|Peaks no longer|The office closes|The night desk|The phone rings|Between seven|The shop is full|Somebody is always|The questions that callers ask)/,
  // How to use the page.
  /^(Try another word|More (in|answers)|Set your own|Type a|The result still|Your browser does not|Copy this|If it should take|Lower the share|Choose how many)/,
  // How to connect other systems: their makers can change what is true of them.
  /^(What to set up|The events are|Under Settings|Bookings appear when|In HubSpot|Find the contact|Log and|Opera Cloud|Ask Oracle|Let your integration|To go on|Tell us)/,
  // What the data processing agreement obliges both parties to.
  /^(The agreement under|This agreement is|It applies for|The processor |Those who have access|The customer agrees|Who processes data)/,
  // What is expected of customers, and law.
  /^(The Privacy Policy says|Which data we hold|[^,]+, at the address|To provide the service|You can also complain|The service is (not )?for|Questions and requests|The contract itself)/,
  /^(What you (can expect|should know)|It is not directed|You keep your password|No (unlawful|emergency|attempt)|We can end it|Your statutory|As far as the law|Nothing here|rights that)/,
]
