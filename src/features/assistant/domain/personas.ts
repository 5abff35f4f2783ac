import { greetingOf, type IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import type { Persona } from './dialogue.ts'
import type { Answer } from './ranking.ts'

/** Returns the persona of this site's own agent. */
export const ownPersona = (brand: string): Persona => ({
  greeting: `Thanks for calling ${brand}. Ask me about plans, set-up or voices, or let me book you a consultation.`,
  books: 'a consultation',
  team: 'our team',
  openers: ['Book a time', 'Which plan do I need?', 'Call me back', 'Ask about Enterprise'],
})

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

const templates: Record<
  IndustryTemplateId,
  Omit<Persona, 'greeting' | 'openers'> & { answers: readonly Answer[] }
> = {
  hospitality: {
    books: 'a table',
    team: 'the front desk',
    answers: [
      {
        url: '',
        title: 'Can I check in after midnight?',
        also: ['Late arrival', 'When is check-out?', 'Early check-in'],
        text: untaught('when they can arrive and leave, and how to get in at night'),
      },
      {
        url: '',
        title: 'Is breakfast included?',
        also: ['Do you have vegetarian dishes?', 'Menu and allergies', 'Are pets welcome?'],
        text: untaught('what is on the menu and what is included'),
      },
    ],
  },
  healthcare: {
    books: 'an appointment',
    team: 'reception',
    answers: [
      {
        url: '',
        title: 'What do I have to bring?',
        also: ['Do I come on an empty stomach?', 'Which papers do I need?', 'Insurance card'],
        text: untaught('what to bring and how to prepare'),
      },
      {
        url: '',
        title: 'It is urgent',
        also: ['I am in pain', 'This cannot wait', 'Emergency'],
        text: 'On a real call I would now pass you on to the person you have named for urgent calls. In an emergency, hang up and dial the emergency number.',
      },
    ],
  },
  retail: {
    books: 'a pick-up',
    team: 'the shop',
    answers: [
      {
        url: '',
        title: 'Where is my parcel?',
        also: ['Order status', 'My delivery is late', 'Has my order been sent?'],
        text: untaught('where an order is, out of your own system'),
      },
      {
        url: '',
        title: 'Do you have it in stock?',
        also: ['Can I bring it back?', 'Returns and exchange', 'Do you have it in blue?'],
        text: untaught('what is in stock, and how returns work'),
      },
    ],
  },
}

/** The agent that a customer tests: in the template's manner, with the customer's own greeting if there is one. */
export function templatePersona(
  template: IndustryTemplateId,
  greeting?: string,
): { persona: Persona; answers: readonly Answer[] } {
  const { answers, ...manner } = templates[template]
  return {
    persona: {
      ...manner,
      greeting: greeting?.trim() || greetingOf[template],
      openers: ['Book a time', 'Call me back'],
    },
    answers: [...common, ...answers],
  }
}
