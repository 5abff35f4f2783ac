import { expect, test } from 'vitest'
import { noKnowledge, weekdays, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { doesNotKnowIn } from '#agent/domain/knowledge/does-not-know.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { messageInstructions } from '#telephony/domain/voice-line.ts'
import { answerFromPrompt } from './prompt-answers.ts'

type Taught = Partial<Omit<AgentKnowledge, 'answers' | 'services'>> & {
  services?: [name: string, price: string, minutes: number | null][]
  answers: [question: string, answer: string][]
  /** What callers ask, and a part of the right answer. */
  asked: [question: string, answer: string][]
}
const daily = (from: string, until: string): AgentKnowledge['hours'] =>
  Object.fromEntries(weekdays.map((day) => [day, [{ from, until }]])) as unknown as AgentKnowledge['hours']

const businesses: Record<string, Taught> = {
  hotel: {
    address: '4 Shore Road, Lindgren',
    hours: daily('06:00', '23:00'),
    services: [
      ['Sauna', '$20', 60],
      ['Airport shuttle', '$35 a person', null],
    ],
    answers: [
      ['Are dogs welcome?', 'Dogs are welcome for $10 a night.'],
      ['When is check-out?', 'Check-out is until 11.'],
      ['Is breakfast included?', 'Breakfast is included from 7 to 10.'],
      ['Is there parking?', 'Parking is free behind the house.'],
    ],
    asked: [
      ['Can I bring my dog?', '$10 a night'],
      ['Are dogs allowed?', '$10 a night'],
      ['How late can I check out?', 'until 11'],
      ['Is breakfast included in the price?', '7 to 10'],
      ['Where can I park?', 'behind the house'],
      ['How much is the sauna?', '$20'],
      ['Do you have an airport shuttle?', '$35'],
      ['What is your address?', '4 Shore Road'],
    ],
  },
  restaurant: {
    address: '9 Mill Lane',
    hours: daily('12:00', '22:00'),
    answers: [
      ['Do you have vegan dishes?', 'Three main courses are vegan.'],
      ['Is there a table outside?', 'The terrace has forty seats.'],
      ['Do you deliver?', 'We do not deliver, but you can fetch your order.'],
      ['Is there a children’s menu?', 'The children’s menu costs $9.'],
    ],
    asked: [
      ['Have you got anything vegan?', 'vegan'],
      ['Can we get a table outside?', 'terrace'],
      ['Do you deliver to my home?', 'do not deliver'],
      ['Is there a menu for children?', '$9'],
      ['When do you close?', '22:00'],
      ['Are you open on Sunday?', 'Sunday: 12:00'],
      ['Where are you?', '9 Mill Lane'],
    ],
  },
  government: {
    hours: daily('08:00', '16:00'),
    answers: [
      ['How do I renew my passport?', 'Renew a passport in person, with a photo.'],
      ['What does a parking permit cost?', 'A parking permit costs $60 a year.'],
      ['How do I register a change of address?', 'Register your new address within two weeks.'],
      ['Where do I pay a fine?', 'Fines are paid at counter 3.'],
    ],
    asked: [
      ['I want to renew my passport', 'with a photo'],
      ['How do I get my passport renewed?', 'with a photo'],
      ['How much is a parking permit?', '$60'],
      ['I moved and want to change my address', 'two weeks'],
      ['Where can I pay a fine?', 'counter 3'],
      ['When do you open?', '08:00'],
      ['How late are you open today?', '16:00'],
    ],
  },
  tours: {
    about: 'Boat tours of the harbour.',
    services: [
      ['Harbour tour', '$25', 90],
      ['Sunset cruise', '$48', 120],
    ],
    answers: [
      ['What happens if it rains?', 'In rain the roof is closed and we sail all the same.'],
      ['Can I cancel?', 'You can cancel up to 24 hours before.'],
      ['Are there toilets on board?', 'There is one toilet on board.'],
    ],
    asked: [
      ['What does the harbour tour cost?', '$25'],
      ['How long does the sunset cruise take?', '120 minutes'],
      ['And if it rains?', 'roof is closed'],
      ['Can I cancel my booking?', '24 hours'],
      ['Is there a toilet on the boat?', 'one toilet'],
      ['What do you do?', 'Boat tours'],
      ['Do you have a sunset cruise?', '$48'],
    ],
  },
  software: {
    about: 'Book-keeping software for small shops.',
    answers: [
      ['How do I reset my password?', 'Use the link under the log-in form.'],
      ['Is there a free trial?', 'The trial lasts 14 days.'],
      ['Which browsers are supported?', 'All current browsers are supported.'],
      ['How do I export my data?', 'Export your data under Settings.'],
    ],
    asked: [
      ['I forgot my password, how do I reset it?', 'log-in form'],
      ['Do you offer a free trial?', '14 days'],
      ['Which browser do I need?', 'current browsers'],
      ['How can I export data?', 'Settings'],
      ['What kind of business are you?', 'Book-keeping'],
      ['Can I try it for free?', '14 days'],
      ['password reset', 'log-in form'],
    ],
  },
  support: {
    hours: daily('00:00', '24:00'),
    answers: [
      ['How do I report a broken device?', 'Have the serial number at hand and report it on our site.'],
      ['How long does a repair take?', 'A repair takes five working days.'],
      ['Is shipping free?', 'Shipping to us is free.'],
      ['Do I get a replacement device?', 'You get a replacement for the time of the repair.'],
    ],
    asked: [
      ['My device is broken', 'serial number'],
      ['How long will the repair take?', 'five working days'],
      ['Do I pay for shipping?', 'is free'],
      ['Can I have a replacement device meanwhile?', 'replacement for the time'],
      ['When are you open?', '24:00'],
      ['How many days does a repair take?', 'five working days'],
      ['I want to report a broken device', 'serial number'],
    ],
  },
  shop: {
    address: '12 Market Square',
    services: [['Gift wrapping', '$3', null]],
    answers: [
      ['Can I return an item?', 'Returns are accepted for 30 days with the receipt.'],
      ['Where is my order?', 'The tracking link is in your mail.'],
      ['Do you sell gift cards?', 'Gift cards start at $10.'],
      ['Do you have bikes for children?', 'Bikes for children start at 12 inches.'],
    ],
    asked: [
      ['I would like to return something', '30 days'],
      ['Where is my order now?', 'tracking link'],
      ['Do you have gift cards?', '$10'],
      ['Are there bikes for kids, for children?', '12 inches'],
      ['How much is gift wrapping?', '$3'],
      ['How do I get to you? What is the address?', '12 Market Square'],
      ['How many days do I have to return an item?', '30 days'],
      ['Can I buy a gift card?', '$10'],
    ],
  },
  clinic: {
    hours: daily('08:30', '17:30'),
    emergencies: 'Tell the caller to hang up and dial the emergency number.',
    services: [
      ['Teeth cleaning', '$90', 45],
      ['Check-up', '$60', 30],
    ],
    answers: [
      ['Do you take new patients?', 'We take new patients.'],
      ['What do I have to bring?', 'Bring your insurance card.'],
      ['Do you treat children?', 'We treat children from the age of three.'],
    ],
    asked: [
      ['Are you taking new patients?', 'take new patients'],
      ['What should I bring?', 'insurance card'],
      ['Do you treat kids? Children?', 'age of three'],
      ['What does teeth cleaning cost?', '$90'],
      ['How long does a check-up take?', '30 minutes'],
      ['This is an emergency', 'emergency number'],
      ['When do you open?', '08:30'],
      ['How much is a check-up?', '$60'],
      ['How late are you open?', '17:30'],
    ],
  },
}

/** What no business here has taught. */
const untaught = [
  'Do you have a swimming pool?',
  'Who won the match last night?',
  'What is the capital of Mongolia?',
  'Can you lend me money?',
  'Do you rent out cars?',
  'Is the owner married?',
  'What is the weather like?',
  'Do you repair watches?',
  'How tall is your building?',
  'Can I land a helicopter?',
  'Do you accept bitcoin?',
  'Which wine goes with fish?',
  'Do you have live music?',
  'Are you hiring?',
  'What is your fax number?',
  'Do you have a loyalty programme?',
  'Can I smoke?',
  'Is there an elevator?',
  'Do you speak Klingon?',
  'What is your revenue?',
]

const promptOf = ({
  answers,
  services = [],
  address = '',
  about = '',
  hours = null,
  emergencies = '',
}: Taught): string =>
  agentPrompt({
    business: null,
    template: null,
    greeting: null,
    isRecorded: false,
    knowledge: {
      ...noKnowledge,
      address,
      about,
      hours,
      emergencies,
      answers: answers.map(([question, answer]) => ({ question, answer, origin: 'written' })),
      services: services.map(([name, price, minutes]) => ({ name, price, minutes })),
    },
  }).prompt

test('at least 54 of 60 questions are answered from what was taught, whatever the trade', () => {
  const asked = Object.values(businesses).flatMap((taught) =>
    taught.asked.map(([question, expected]) => {
      const answer = answerFromPrompt(promptOf(taught), question)
      return { question, answer, isRight: answer.includes(expected) }
    }),
  )
  expect(asked).toHaveLength(60)
  const wrong = asked.filter(({ isRight }) => !isRight)
  expect(wrong.length, JSON.stringify(wrong, null, 2)).toBeLessThanOrEqual(6)
})

test.each(untaught)('nothing is invented: %s', (question) => {
  for (const taught of Object.values(businesses))
    expect(answerFromPrompt(promptOf(taught), question)).toContain(doesNotKnowIn.en)
})

test('an agent that only takes messages answers nothing', () => {
  const prompt = `${promptOf(businesses.hotel!)}\n\n${messageInstructions}`
  expect(answerFromPrompt(prompt, 'Are dogs welcome?')).not.toContain('$10')
})
