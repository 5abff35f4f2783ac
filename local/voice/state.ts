import type { ChatMessage } from '../ai/chat.ts'
/** A body as it was sent: the stand-in returns all of it. */
export type Fields = Readonly<Record<string, unknown>>

/** An assistant or a phone number. */
type VapiObject = Fields & { id: string; orgId: string; createdAt: string; updatedAt: string }
export type Assistant = VapiObject
export type PhoneNumber = VapiObject & {
  provider: string
  status: 'active' | 'activating'
  number: string
}

export interface Turn {
  who: 'agent' | 'caller'
  text: string
  /** In milliseconds since 1970. */
  at: number
  /** The tools that the agent called before it said this, and their results. */
  tools?: ChatMessage[]
}

export interface Call {
  id: string
  type: 'phone' | 'web'
  direction: 'inbound' | 'outbound'
  /** The assistant's id. */
  agent: string
  /** Our number; null for web calls. */
  number: string | null
  /** The other party's number; null if withheld. */
  other: string | null
  metadata: Fields
  variables: Readonly<Record<string, string>>
  /** Replaces the assistant's longest call, in seconds. */
  longest?: number
  /** Replaces the agent's first words in this call. */
  firstWords: string | null
  /** In milliseconds since 1970. */
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  endedReason: string | null
  /** Whether the provider has a recording. */
  recorded: boolean
  /** What an analysis finds, if a control said so. */
  findings: Findings
  turns: readonly Turn[]
}
export interface Findings {
  about?: string
  outcome?: string
  promised?: 'booked' | 'moved' | 'cancelled' | 'nothing'
  sentiment?: 'positive' | 'neutral' | 'negative'
  succeeded?: boolean
}

/** A report that is sent until it is accepted or given up. */
export interface Delivery {
  id: string
  call: string
  url: string
  body: string
  /** How many times it may be sent. */
  tries: number
  /** The wait before the second try, in milliseconds; it doubles with each further one. */
  wait: number
  attempts: number
  state: 'pending' | 'delivered' | 'failed'
  /** The real time of the next try, in milliseconds since 1970. */
  nextAt: number
  /** The latest response, or the error's name. */
  lastResponse: string | null
}

/** All stored data, by id. */
export interface Tables {
  assistants: Assistant
  numbers: PhoneNumber
  calls: Call
  deliveries: Delivery
  /** Whether the numbers that customers bring have been added: `seeded`. */
  settings: { done: boolean }
}
