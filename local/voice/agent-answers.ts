import type { ChatAnswer, ChatMessage, ChatRequest, ChatTool } from '../ai/chat.ts'
import { newId } from './account.ts'
import type { Turn } from './state.ts'

/** An agent in a call, with its variables filled in. */
export interface AnsweringAgent {
  id: string
  account: string | null
  firstMessage: string
  prompt: string
  tools: ChatTool[]
  /** What a caller hears as a tool of the provider is called, by the tool's name. */
  heard: Readonly<Record<string, string>>
  /** Calls a tool of ours, as Vapi does, and returns its result. */
  callTool: (name: string, given: unknown) => Promise<string>
}
/** What an agent says, and the tools that it called before. */
interface Reply {
  text: string
  tools?: ChatMessage[]
}
/** Says what an agent replies to a caller's line. */
export type Answer = (
  agent: AnsweringAgent,
  transcript: readonly Turn[],
  line: string,
) => Reply | Promise<Reply>

/** Replies without a model: every agent takes a message. */
export const takeMessage: Answer = () => ({
  text: 'I have noted that and pass it on. May I have your name and a number for the call back?',
})

/** How often a model may call tools before it has to say something. */
const mostSteps = 4

/** Replies by a model, over the agent's prompt and tools as the provider was sent them. */
export const answerBy =
  (model: (request: ChatRequest) => Promise<ChatAnswer>): Answer =>
  async ({ prompt, tools, heard, callTool }, transcript, line) => {
    const said = transcript.flatMap(({ who, text, tools: called = [] }): ChatMessage[] => [
      ...called,
      who === 'agent' ? { role: 'assistant', content: text } : { role: 'user', content: text },
    ])
    const before: ChatMessage[] = [
      { role: 'system', content: prompt },
      ...said,
      { role: 'user', content: line },
    ]
    const told: ChatMessage[] = []
    for (let step = 0; step < mostSteps; step++) {
      const { content, calls = [] } = await model({ model: '', messages: [...before, ...told], tools })
      const [call] = calls
      if (!call || content) return { text: content ?? '', tools: told }
      const words = heard[call.name]
      if (words !== undefined) return { text: words, tools: told }
      const id = newId()
      const text = JSON.stringify(call.arguments)
      told.push(
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: call.name, arguments: text } }],
        },
        { role: 'tool', tool_call_id: id, content: await callTool(call.name, call.arguments) },
      )
    }
    return { text: 'I cannot do that here.', tools: told }
  }
