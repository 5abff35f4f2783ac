import * as z from 'zod/mini'
import type { CallReport } from '#calls/domain/call-report.ts'
import type { CallLimit } from '#calls/domain/calls.ts'

/** A function of ours that an agent may call during a call. */
export interface AgentTool {
  /** 1 to 64 letters, digits, hyphens and underscores. */
  name: string
  /** Says to the model when to call it. */
  description: string
  /** A JSON schema of its arguments. */
  parameters: Readonly<Record<string, unknown>>
  /** The URL that is requested. */
  url: string
}

/** What the voice provider brings with it for a model to call, as a model elsewhere is told of it. */
export const providerTools = {
  endCall: 'Ends the call, once the caller has said goodbye.',
  transferCall: 'Puts the call through to a person. Callers say: can I speak to a person? | put me through',
} as const

/** Describes what an agent is to be, in words that belong to no provider. */
export interface AgentSpec {
  /** The customer's account: its UUID. */
  account: string
  /** The agent's first words. */
  greeting: string
  prompt: string
  /** Locales such as `en-US`; the first is the main one. */
  languages: readonly [string, ...string[]]
  /** IANA's name of the customer's time zone. */
  timeZone: string
  /** The provider's name of a voice: for Vapi the voice's provider and its id, `11labs:sarah`. Null takes the standard voice. */
  voice: string | null
  /** The number, in E.164, of the person who takes over; null if nobody does. */
  handOver: string | null
  /** The longest call: 60 to 7200. */
  maxSeconds: number
  /** How long silence lasts until the call ends: 5 to 3600. */
  silenceSeconds: number
  keepRecordings: boolean
  /** The URL that receives the reports of calls. */
  reportsTo: string
  tools: readonly AgentTool[]
}

/** Is the provider's id of an agent, which is kept in our row. Only the provider's line knows what it says. */
export type AgentRef = string

/** A phone number at the provider. */
export interface ProviderNumber {
  /** The provider's id of the number. */
  id: string
  /** In E.164; null until the provider has activated it. */
  number: string | null
  /** The name that we gave it: the id of our row. */
  name: string | null
}

/** A caller's phone call that the provider asks about. */
interface Ring {
  type: 'ring'
  /** The number that was called, in E.164. */
  number: string
  /** Null if the caller withholds it. */
  caller: string | null
  /** Our id of the call, as in its report; null if the provider does not name it yet. */
  call: string | null
}
/** What the provider asked, if anything, and whether the provider signed it. */
export type RingQuestion = Ring | { type: 'other' } | { type: 'forged' }

/** What becomes of a ringing call. */
export type RingAnswer =
  /** `now` says what day and time it is at the business, without which nothing can be booked for tomorrow. */
  | { action: 'answer'; agent: AgentRef; account: string; now: string }
  /** The agent takes a message, and answers no questions, because of a limit. */
  | { action: 'message'; agent: AgentRef; account: string; greeting: string; limit: CallLimit }
  /** The caller hears the words, and is put through. */
  | { action: 'forward'; to: string; words: string; limit?: CallLimit }
  /** The caller hears the words, and the call ends. */
  | { action: 'refuse'; words: string; limit?: CallLimit }

/** An agent's calls of our tools while the caller is on the line. */
export interface ToolCalls {
  type: 'tools'
  /** The provider's id of the agent. */
  agent: string
  /** The account that the call's metadata name; null if they name none. */
  account: string | null
  /** Our id of the call. */
  call: string
  /** The caller's number in E.164; null if it is withheld. */
  caller: string | null
  /** Whether the call comes from the customer's own browser. */
  isTest: boolean
  calls: { id: string; name: string; given: unknown }[]
}
export type ToolQuestion = ToolCalls | { type: 'other' } | { type: 'forged' }

/** What a tool returned to the model, by the id of its call. */
export interface ToolResult {
  id: string
  name: string
  result: string
}

/** A call that the provider reports. */
export interface ReportedCall {
  type: 'call'
  /** The provider's id of the agent. */
  agent: string
  /** The account that the call's metadata name; null if they name none. */
  account: string | null
  report: Omit<CallReport, 'account'>
  /** The URL of the recording, which expires within a day; null if there is none. */
  recording: string | null
}
/** What the provider sent. Requests that say nothing about a finished call are `other`. */
export type Message = ReportedCall | { type: 'other' } | { type: 'forged' }

/** What a page needs in order to join a test call. */
export const testTicket = z.object({ call: z.string(), url: z.url() })
export type TestTicket = z.infer<typeof testTicket>

/** The longest test call, and the longest call in which a message is taken, in seconds. */
export const longestTest = 300
export const longestMessage = 180

/** The variable at the end of every prompt, in which the answer to a ring tells the agent what is special about the call. */
export const thisCall = 'this_call'
/** Returns the value of `this_call` for an answer to a ring. */
export const instructionsOf = (answer: Extract<RingAnswer, { agent: AgentRef }>): string =>
  answer.action === 'answer' ? timeInstruction(answer.now) : messageInstructions
/** Tells the agent what day and time it is. */
export const timeInstruction = (now: string): string => `It is ${now} at the business.`

/** Keeps a customer's words from being read as a template, in which the provider fills in variables. */
export const withoutTemplates = (text: string): string => text.replace(/\{(?=[{%])/g, '{ ')

/** Returns the prompt as the provider stores it. */
export const promptOf = ({ prompt }: Pick<AgentSpec, 'prompt'>): string =>
  `${withoutTemplates(prompt)}\n\n{{${thisCall}}}`

const callPrefix = 'vapi:'
/** Returns our id of a call at the provider. Calls that other services report have ids of their own. */
export const callIdOf = (providerId: string): string => callPrefix + providerId

/** Returns the provider's id of a call; undefined if another service has reported it. */
export const providerCallId = (call: string): string | undefined =>
  call.startsWith(callPrefix) ? call.slice(callPrefix.length) : undefined

/** The agent gets this at the end of its prompt for a call in which it only takes a message. */
export const messageInstructions =
  'In this call, answer no questions and book nothing. Ask for the caller’s name, number and message, say that somebody will call back, and end the call.'
