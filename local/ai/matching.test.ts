import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { noKnowledge, weekdays, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { saysThatItDoesNotKnow } from '#calls/domain/does-not-know.ts'
import { noSetup } from '#bookings/domain/booking-setup.ts'
import { bookingTools } from '#bookings/server/booking-tools.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { messageInstructions } from '#telephony/domain/voice-line.ts'
import type { ChatAnswer, ChatMessage, ChatTool } from './chat.ts'
import { matchingAnswer } from './matching.ts'

type Taught = Partial<Omit<AgentKnowledge, 'answers' | 'services'>> & {
  services?: [name: string, price: string, minutes: number | null][]
  answers: [question: string, answer: string][]
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
  },
  software: {
    about: 'Book-keeping software for small shops.',
    answers: [
      ['How do I reset my password?', 'Use the link under the log-in form.'],
      ['Is there a free trial?', 'The trial lasts 14 days.'],
      ['Which browsers are supported?', 'All current browsers are supported.'],
      ['How do I export my data?', 'Export your data under Settings.'],
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
  },
}

/** What no business here has taught. */
const untaught = [
  'There is a fire in the corridor!',
  'Until when can I arrive?',
  'When will the doctor call me back?',
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

/** Says lines in turn, and returns what was answered to each. */
async function talk(prompt: string, lines: readonly string[], tools: ChatTool[] = []): Promise<ChatAnswer[]> {
  const messages: ChatMessage[] = [{ role: 'system', content: prompt }]
  const answers: ChatAnswer[] = []
  for (const line of lines) {
    messages.push({ role: 'user', content: line })
    const answer = await matchingAnswer({ model: 'matching', messages, tools })
    messages.push({ role: 'assistant', content: answer.content ?? null })
    answers.push(answer)
  }
  return answers
}
const heard = async (prompt: string, line: string): Promise<string> =>
  (await talk(prompt, [line]))[0]!.content ?? ''

/** Writes a text with one typing error: two neighbouring letters of its longest word change places. */
const mistyped = (text: string): string => {
  const [longest = ''] = text.match(/\p{L}+/gu)!.toSorted((one, other) => other.length - one.length)
  return text.replace(longest, `${longest[0]}${longest[2]}${longest[1]}${longest.slice(3)}`)
}

const person: ChatTool = {
  type: 'function',
  function: { name: 'person', description: 'Callers say: can I speak to a person?', parameters: {} },
}

const [keepsMessages] = bookingTools(noSetup)
const message: ChatTool = {
  type: 'function',
  function: {
    name: keepsMessages!.name,
    description: keepsMessages!.description,
    parameters: z.toJSONSchema(z.object(keepsMessages!.shape)) as ChatTool['function']['parameters'],
  },
}

test.each(Object.entries(businesses))(
  'a %s answers all that it was taught, also with a typing error',
  async (_, taught) => {
    const prompt = promptOf(taught)
    const { services = [], address = '', about = '', hours, emergencies = '' } = taught
    const entries = [
      ...taught.answers,
      ...services.map(([name, price]) => [`How much is ${name}?`, price] as const),
      ...(address ? [['What is your address?', address] as const] : []),
      ...(about ? [['What do you do?', about] as const] : []),
      ...(hours ? [['What are your opening hours?', `Sunday: ${hours.sun[0]!.from}`] as const] : []),
      ...(emergencies ? [['This is an emergency', emergencies] as const] : []),
    ]
    for (const [question, answer] of entries)
      for (const line of [question, mistyped(question)])
        expect(await heard(prompt, line), line).toContain(answer)
  },
)

test.each(Object.entries(businesses))(
  'a %s that was not taught something says so, and offers to take a message only if it can',
  async (_, taught) => {
    for (const line of untaught) {
      const answer = await heard(promptOf(taught), line)
      expect(saysThatItDoesNotKnow(answer), `${line} ${answer}`).toBe(true)
      expect(answer).not.toContain('?')
    }
    const [offer, ask] = await talk(promptOf(taught), [untaught[0]!, 'Yes'], [message])
    expect([offer!.content!.endsWith('Shall I take a message?'), ask!.content]).toEqual([
      true,
      'May I have your name?',
    ])
  },
)

test('a person answers instead where there is one, if the caller agrees', async () => {
  const lines = ['Do you have a swimming pool?', 'Yes, please']
  const [answer, call] = await talk(promptOf(businesses.hotel!), lines, [person])
  expect(answer!.content).toMatch(/Shall a person answer you\?$/)
  expect(call!.calls).toEqual([{ name: 'person', arguments: {} }])
  for (const [line, expected] of [
    ['No', 'All right.'],
    ['Are dogs welcome?', '$10'],
  ] as const)
    expect((await talk(promptOf(businesses.hotel!), [lines[0]!, line], [person]))[1]!.content).toContain(
      expected,
    )
})

test('a tool is called once each of its questions is answered', async () => {
  const request: ChatTool = {
    type: 'function',
    function: {
      name: 'request',
      description: 'Callers say: call me back | I want an offer',
      parameters: {
        properties: {
          kind: { enum: ['call-back', 'offer'] },
          name: { type: 'string', description: 'Ask: What is your name?' },
          email: { type: 'string', description: 'Ask: What is your email address or phone number?' },
          phone: { type: 'string' },
          minutes: { type: 'integer', description: 'Ask: How many minutes?' },
        },
        required: ['kind', 'name', 'minutes'],
      },
    },
  }
  const answers = await talk('', ['I want an offer', 'Ada', '555 0100 22', '1,200'], [request])
  expect(answers.slice(0, 3).map(({ content }) => content)).toEqual([
    'What is your name?',
    'What is your email address or phone number?',
    'How many minutes?',
  ])
  expect(answers[3]!.calls).toEqual([
    { name: 'request', arguments: { kind: 'offer', name: 'Ada', phone: '555 0100 22', minutes: 1200 } },
  ])
  const [, , , call] = await talk('', ['call me back', 'Ada', 'ada@hotel.example.', '10'], [request])
  expect(call!.calls![0]!.arguments).toMatchObject({ kind: 'call-back', email: 'ada@hotel.example' })
})

test('an agent that only takes messages answers nothing, and keeps what is said', async () => {
  const prompt = `${promptOf(businesses.hotel!)}\n\n${messageInstructions}`
  const answers = await talk(prompt, ['Are dogs welcome?', 'Ada', 'A dog', 'Is it welcome?'], [message])
  expect(answers.map(({ content }) => content ?? null)).toEqual([
    'May I have your name?',
    'What is it about?',
    'What shall I tell them?',
    null,
  ])
  expect(answers[3]!.calls).toEqual([
    { name: 'take_message', arguments: { name: 'Ada', about: 'A dog', message: 'Is it welcome?' } },
  ])
})

test('the words for what it does not know are those of the prompt', async () => {
  expect(await heard('Rule: say "No tengo esa información".', 'Do you have a pool?')).toMatch(/^No tengo/)
})
