import { saysThatItDoesNotKnow } from '#calls/domain/does-not-know.ts'
import { agentPrompt } from '#agent/domain/prompt.ts'
import { siteRole } from '#assistant/domain/role.ts'
import { sitePrompt, type Source } from '#assistant/domain/site-prompt.ts'
import type { TalkAction, TurnMessage } from '#assistant/domain/talk.ts'
import { talkLimits } from '#assistant/domain/talk-limits.ts'
import { complete, costOf, type Model } from '#assistant/server/model.ts'
import { phoneTools } from '#assistant/server/phone-tools.ts'
import { siteTools } from '#assistant/server/site-tools.ts'
import { describe, runTool, type TalkTool } from '#assistant/server/talk-tools.ts'
import type { Invocation } from '#platform/server/http.ts'
import type { Supabase } from '#platform/server/database.ts'
import type { Services } from '#platform/server/services.ts'
import { timeInstruction } from '#telephony/domain/voice-line.ts'
import { businesses } from './callers.ts'
import { siteQuestions } from './site.ts'

/** A question, and what a right answer says and does not say. */
export interface Question {
  line: string
  /** A pattern of the facts that it has to say; `?` if it cannot know, `person` if a person is to answer. */
  required: string
  forbidden: string | undefined
  brain: Brain
}
interface Brain {
  prompt: string
  greeting: string
  tools: TalkTool[]
}

/** Returns the questions of a text: lines `required ! forbidden : question | question`. */
const questionsIn = (text: string, brain: Brain): Question[] =>
  text
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [facts = '', lines = ''] = row.split(' : ')
      const [required = '', forbidden] = facts.split(' ! ')
      return lines.split(' | ').map((line) => ({ line, required, forbidden, brain }))
    })

/** Returns what callers ask, each business with its agent's prompt and tools. */
export const callerQuestions = (): Question[] =>
  businesses.flatMap(({ name, knowledge, asked }) => {
    const material = { business: name, template: null, greeting: null, isRecorded: false, knowledge }
    const { prompt, greeting } = agentPrompt(material)
    const now = timeInstruction('Wednesday 25 November 2026, 14:00')
    const tools = phoneTools(
      { account: '', handOver: knowledge.transfer.number || null, tools: [] },
      '',
      {} as Supabase,
    )
    return questionsIn(asked, { prompt: `${prompt}\n\n${now}`, greeting, tools })
  })

/** Returns what visitors ask the site's agent. None of them leaves what a lead needs, so its tool reaches no service. */
export const visitorQuestions = (sources: readonly Source[]): Question[] => {
  const request = { place: 'site', conversation: '', turns: [], line: '', page: '/' } as const
  const tools = siteTools({ ...request, turns: [] }, undefined, {} as Services, {} as Invocation)
  return questionsIn(siteQuestions, { prompt: sitePrompt(sources), greeting: siteRole.greeting, tools })
}

export type Verdict = 'right' | 'wrong' | 'unknown'
export interface Judged {
  question: Question
  text: string
  verdict: Verdict
  /** The figures, times, prices and names that nothing it was told has. */
  invented: string[]
  micros: number
  ms: number
}

/**
 * Asks a model a question, as a conversation's first line, and judges the answer.
 * @throws ModelError
 */
export async function judged(question: Question, model: Model): Promise<Judged> {
  const { brain, line } = question
  const told: TurnMessage[] = []
  const actions: TalkAction[] = []
  const begun = performance.now()
  let micros = 0
  for (let step = 1; step <= talkLimits.steps; step++) {
    const messages = [
      { role: 'system' as const, content: brain.prompt },
      { role: 'assistant' as const, content: brain.greeting },
      { role: 'user' as const, content: line },
      ...told,
    ]
    const mayCall = step < talkLimits.steps
    const asked = complete(
      { messages, tools: brain.tools.map(describe), mayCall },
      model,
      AbortSignal.timeout(45_000),
    )
    let next = await asked.next()
    while (!next.done) next = await asked.next()
    const { message, usage } = next.value
    if (usage) micros += costOf(usage, model)
    told.push(message)
    if (!message.tool_calls) break
    for (const { id, function: called } of message.tool_calls) {
      const { content, action } = await runTool(brain.tools, called)
      told.push({ role: 'tool', tool_call_id: id, content })
      if (action) actions.push(action)
    }
  }
  const ms = performance.now() - begun
  const text = told
    .flatMap(({ role, content }) => (role === 'assistant' && content ? [content] : []))
    .join(' ')
  const results = told.flatMap(({ role, content }) => (role === 'tool' && content ? [content] : []))
  const known = [brain.prompt, brain.greeting, line, ...results].join('\n')
  return {
    question,
    text,
    verdict: verdictOf(question, text, actions),
    invented: inventedIn(text, known),
    micros,
    ms,
  }
}

/** Judges an answer. A person is offered by an action, or in words. */
export function verdictOf(
  { required, forbidden }: Pick<Question, 'required' | 'forbidden'>,
  text: string,
  actions: readonly TalkAction[],
): Verdict {
  const said = spelled(text)
  const isPerson =
    actions.some((action) => ['person', 'complaint', 'transfer'].includes(action)) ||
    /\b(call you back|calls you back|take a message|a person|put you through)\b/i.test(text)
  const isUnknown = saysThatItDoesNotKnow(text)
  if (required === '?') return isUnknown || isPerson ? 'right' : 'wrong'
  if (required === 'person') return isPerson ? 'right' : isUnknown ? 'unknown' : 'wrong'
  if (new RegExp(required, 'i').test(said) && !(forbidden && new RegExp(forbidden, 'i').test(said)))
    return 'right'
  return isUnknown || isPerson ? 'unknown' : 'wrong'
}

const digits =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const spoken = new RegExp(
  `\\b(?:(${tens.join('|')})(?:[- ](${digits.slice(1, 10).join('|')}))?|(${digits.join('|')}))\\b`,
  'gi',
)

/** Returns a text in which numbers and times are written as figures, and times after noon also by 24 hours. */
export function spelled(text: string): string {
  return text
    .replace(spoken, (_, ten?: string, one?: string, small?: string) =>
      String(
        small
          ? digits.indexOf(small.toLowerCase())
          : (tens.indexOf(ten!.toLowerCase()) + 2) * 10 + (one ? digits.indexOf(one.toLowerCase()) : 0),
      ),
    )
    .replace(/\b(\d+) hundred\b/gi, (_, count: string) => `${count}00`)
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/\bhalf past (\d+)\b/gi, '$1:30')
    .replace(/\bnoon\b/gi, '12:00')
    .replace(/\b0(\d:\d\d)\b/g, '$1')
    .replace(
      /\b(\d{1,2})(?::(\d\d))? ?([ap])(?:\.m\.|m\b)/gi,
      (_, hour: string, minutes = '00', half: string) =>
        `${(Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)}:${minutes}`,
    )
}

/** Returns the figures and names of an answer that are neither in what the model was told nor said. */
export function inventedIn(text: string, known: string): string[] {
  const there = spelled(known)
  const figures = new Set(there.match(/\d+(?:[:.]\d+)*/g))
  const isFigureKnown = (figure: string): boolean =>
    figures.has(figure) || figures.has(figure.replace(/:00$/, '')) || figures.has(`${figure}:00`)
  const answer = spelled(text)
  const words = new Set(there.toLowerCase().match(/\p{L}+/gu))
  // A capital within a sentence begins a name.
  const names = [...answer.matchAll(/(?<=[\p{Ll},] )\p{Lu}\p{L}{2,}/gu)].map(([name]) => name)
  return [
    ...(answer.match(/\d+(?:[:.]\d+)*/g) ?? []).filter((figure) => !isFigureKnown(figure)),
    ...names.filter((name) => !words.has(name.toLowerCase())),
  ]
}

/** Returns a row of the table: the shares of an asked list. */
export function rowOf(name: string, answers: readonly Judged[]) {
  const count = (verdict: Verdict): number => answers.filter((answer) => answer.verdict === verdict).length
  const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const micros = answers.reduce((sum, answer) => sum + answer.micros, 0)
  return {
    asked: name,
    questions: answers.length,
    right: count('right'),
    wrong: count('wrong'),
    unknown: count('unknown'),
    invented: answers.filter(({ invented }) => invented.length > 0).length,
    dollars: (micros / 1_000_000).toFixed(4),
    'median ms': Math.round(times[Math.floor(times.length / 2)] ?? 0),
    'slowest ms': Math.round(times.at(-1) ?? 0),
  }
}
