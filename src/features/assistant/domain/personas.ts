import { greetingOf, industryTemplates, type IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import type { Persona } from '#assistant/domain/dialogue/dialogue.ts'
import type { Role } from './role.ts'
import type { Answer } from '#assistant/domain/dialogue/ranking.ts'

const untaught = (what: string): string =>
  `This is where I tell your callers ${what}. You teach me before the first call.`

const common: readonly Answer[] = [
  {
    url: '',
    title: 'What are your opening hours?',
    also: ['When are you open?', 'Are you open on Sunday?', 'How late are you open?'],
    text: untaught('your opening hours, holidays included'),
  },
  {
    url: '',
    title: 'Where are you?',
    also: ['What is your address?', 'How do I get there?', 'Where can I park?'],
    text: untaught('the way, the entrance and where to park'),
  },
  {
    url: '',
    title: 'Can I speak to a person?',
    also: ['I want to talk to somebody', 'Put me through', 'Is there a manager?'],
    text: 'Of course. On a real call I would now put you through to the number you have named.',
  },
]

/** Answers that several trades share. */
const arrival: Answer = {
  url: '',
  title: 'Can I check in after midnight?',
  also: ['Late arrival', 'When is check-out?', 'Early check-in', 'Can I still get in at one in the morning?'],
  text: untaught('when they can arrive and leave, and how to get in at night'),
}
const menu: Answer = {
  url: '',
  title: 'Is breakfast included?',
  also: [
    'Do you have vegetarian dishes?',
    'Menu and allergies',
    'Is there anything without gluten?',
    'Are pets welcome?',
  ],
  text: untaught('what is on the menu and what is included'),
}
const parcel: Answer = {
  url: '',
  title: 'Where is my parcel?',
  also: ['Order status', 'My delivery is late', 'Has my order been sent?'],
  text: untaught('where an order is, out of your own system'),
}
const stock: Answer = {
  url: '',
  title: 'Do you have it in stock?',
  also: ['Do you have it in blue?', 'Is it available?', 'Which sizes do you have?'],
  text: untaught('what is in stock'),
}
const returns: Answer = {
  url: '',
  title: 'Can I bring it back?',
  also: ['Returns and exchange', 'Can I bring it back to the shop?', 'Can I exchange it?'],
  text: untaught('how returns work'),
}
const papers: Answer = {
  url: '',
  title: 'What do I have to bring?',
  also: ['Which papers do I need?', 'Do I come on an empty stomach?', 'Insurance card', 'How do I prepare?'],
  text: untaught('what to bring and how to prepare'),
}
const urgent: Answer = {
  url: '',
  title: 'It is urgent',
  also: ['I am in pain', 'This cannot wait', 'Emergency'],
  text: 'On a real call I would now pass you on to the person you have named for urgent calls. In an emergency, hang up and dial the emergency number.',
}

/** What an agent books in each template, its team, and its answers. */
const trades: Record<IndustryTemplateId, { books: string; team: string; answers: readonly Answer[] }> = {
  hospitality: { books: 'a table', team: 'the front desk', answers: [arrival, menu] },
  healthcare: { books: 'an appointment', team: 'reception', answers: [papers, urgent] },
  retail: { books: 'a pick-up', team: 'the shop', answers: [parcel, stock, returns] },
  'hotels-resorts': {
    books: 'a room',
    team: 'the front desk',
    answers: [
      arrival,
      menu,
      {
        url: '',
        title: 'Could we have more towels?',
        also: ['Room service', 'Something in the room does not work', 'Can you wake me?'],
        text: untaught('what your house does for guests in their rooms'),
      },
    ],
  },
  'restaurants-cafes': {
    books: 'a table',
    team: 'the restaurant',
    answers: [
      menu,
      {
        url: '',
        title: 'Can I order a takeaway?',
        also: ['Can I pick up two pizzas?', 'Do you deliver?'],
        text: untaught('what they can order, and when to fetch it'),
      },
      {
        url: '',
        title: 'Do you do birthdays?',
        also: ['We are a party of thirty', 'Can we rent the room?'],
        text: untaught('what you offer to groups'),
      },
    ],
  },
  'government-services': {
    books: 'an appointment',
    team: 'the office',
    answers: [
      papers,
      {
        url: '',
        title: 'Who is responsible for street lights?',
        also: ['Which department is it?', 'Whom do I ask about a permit?', 'Which counter is it?'],
        text: untaught('which department takes care of it'),
      },
    ],
  },
  'tourism-travel': {
    books: 'a place',
    team: 'the tour desk',
    answers: [
      {
        url: '',
        title: 'Where does the bus leave from?',
        also: ['What is the meeting point?', 'When do we have to be there?'],
        text: untaught('the meeting point and the time'),
      },
      {
        url: '',
        title: 'Do you take groups?',
        also: ['We are a class of twenty-five', 'Is there a price for children?'],
        text: untaught('what you offer to groups and children'),
      },
      {
        url: '',
        title: 'Does the boat go out in the rain?',
        also: ['What if the weather is bad?', 'Can I cancel?'],
        text: untaught('your own rules for weather and cancelling'),
      },
    ],
  },
  'tech-saas': {
    books: 'a demo',
    team: 'the team',
    answers: [
      {
        url: '',
        title: 'I cannot log in',
        also: ['My password does not work', 'I am locked out'],
        text: untaught('the steps that usually help, and open a case if they do not'),
      },
      {
        url: '',
        title: 'Is it down, or is it me?',
        also: ['Is there an outage?', 'The page does not load'],
        text: untaught('your current status'),
      },
      {
        url: '',
        title: 'Why is there a second invoice?',
        also: ['I have a question about my bill', 'Billing'],
        text: untaught('what I may say about an invoice'),
      },
    ],
  },
  'call-centers-bpos': {
    books: 'a call-back',
    team: 'the queue',
    answers: [
      {
        url: '',
        title: 'I want to change my address',
        also: ['My details have changed', 'I have moved'],
        text: untaught('what I have noted, for the requests that you let me finish'),
      },
      {
        url: '',
        title: 'I need somebody from claims',
        also: ['Which queue is it?', 'I have a question on my claim'],
        text: untaught('which queue takes the call, and pass it on'),
      },
    ],
  },
  'retail-ecommerce': { books: 'a pick-up', team: 'the shop', answers: [parcel, stock, returns] },
  'clinics-wellness': {
    books: 'an appointment',
    team: 'reception',
    answers: [
      papers,
      urgent,
      {
        url: '',
        title: 'How long does the massage take?',
        also: ['Which treatments do you offer?', 'How long is an appointment?'],
        text: untaught('which treatments you offer, and how long they take'),
      },
    ],
  },
}

/** The agent that a customer tests: in the template's manner, with the customer's own greeting if there is one. */
export function templatePersona({ template, business, greeting }: Role): {
  persona: Persona
  answers: readonly Answer[]
} {
  const { books, team, answers } = trades[template]
  const persona = {
    greeting: greeting?.trim() || greetingOf(template, business ?? null),
    books,
    team,
    openers: industryTemplates[template].asks,
  }
  return { persona, answers: [...common, ...answers] }
}
