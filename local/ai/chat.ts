/** The messages and tools of a request in OpenAI's chat completions, as far as we send them. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }
export interface ChatToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}
export interface ChatTool {
  type: 'function'
  function: {
    name: string
    description: string
    parameters: { properties?: Record<string, ChatParameter>; required?: string[] }
  }
}
export interface ChatParameter {
  type?: string
  description?: string
  enum?: string[]
  format?: string
}
export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  tools?: ChatTool[]
  tool_choice?: 'auto' | 'none'
  max_completion_tokens?: number
  max_tokens?: number
  stream_options?: { include_usage?: boolean }
}

/** What a model answers: words, or calls of tools, with their arguments. */
export interface ChatAnswer {
  content?: string
  calls?: { name: string; arguments: unknown }[]
  /** The tokens that are reported; counted by letters if absent. */
  usage?: { input: number; output: number }
  /** Whether no usage is reported. */
  hidesUsage?: boolean
  /** Whether the stream stays open after these words. */
  hangs?: boolean
  /** Whether it goes on with these words for ever, whatever the limit of tokens. */
  isEndless?: boolean
  /** The HTTP status of a refusal in place of an answer. */
  status?: number
}
