import * as z from 'zod/mini'
import type { CallReport } from '#calls/domain/call-report.ts'
import type { CallLimit } from '#calls/domain/calls.ts'
import { specialInstructions } from './special-instructions.ts'

/** The voice providers that can run a customer's agent (docs/voice-agent.md). */
export const lineProviders = ['vapi', 'retell'] as const
export type LineProvider = (typeof lineProviders)[number]

/** A function of ours that an agent may call during a call. */
interface AgentTool {
  /** 1 to 64 letters, digits, hyphens and underscores. */
  name: string
  /** Says to the model when to call it. */
  description: string
  /** A JSON schema of its arguments. */
  parameters: {
    type: 'object'
    properties: Readonly<Record<string, { type: 'string' | 'number' | 'boolean'; description: string }>>
    required?: readonly string[]
  }
  /** The URL that is requested. */
  url: string
}

/** What an agent is to be, in the same words for every provider. */
export interface AgentWish {
  /** The customer's account: its UUID. */
  account: string
  /** The agent's first words. */
  greeting: string
  prompt: string
  /** Locales such as `en-US`; the first is the main one. */
  languages: readonly [string, ...string[]]
  /** IANA's name of the customer's time zone. */
  timeZone: string
  /**
   * The provider's name of a voice: for Retell `11labs-Adrian`, for Vapi the voice's provider and its id, `11labs:sarah`.
   * Null takes the standard voice.
   */
  voice: string | null
  /** The number, in E.164, of the person who takes over; null if nobody does. */
  handOver: string | null
  /** The longest call: 60 to 7200. */
  maxSeconds: number
  /** How long silence lasts until the call ends: 5 to 3600. Retell is not told. */
  silenceSeconds: number
  keepRecordings: boolean
  /** The URL that receives the reports of calls. */
  reportsTo: string
  tools: readonly AgentTool[]
}

/** What an agent became at the provider; kept as JSON in our row. Retell has an engine beside the agent. */
export const agentThere = z.object({
  provider: z.enum(lineProviders),
  agent: z.string(),
  engine: z.optional(z.string()),
})
export type AgentThere = z.infer<typeof agentThere>

/** A phone number at the provider. */
export interface NumberThere {
  /** The provider's id of the number. */
  id: string
  /** In E.164; null until the provider has activated it. */
  number: string | null
  /** The name that we gave it: the id of our row. */
  name: string | null
}

/** A caller's phone call that the provider asks about. */
export interface Ring {
  of: 'ring'
  /** The number that was called, in E.164. */
  number: string
  /** Null if the caller withholds it. */
  caller: string | null
  /** Our id of the call, as in its report; null if the provider does not name it yet. */
  call: string | null
}
/** What the provider asked, if anything, and whether the provider signed it. */
export type RingQuestion = Ring | { of: 'nothing' } | { of: 'forgery' }

/** What becomes of a ringing call. */
export type RingAnswer =
  | {
      do: 'answer'
      agent: AgentThere
      account: string
      /** Says what day and time it is at the business, without which nothing can be booked for tomorrow. */
      now?: string
    }
  /** The agent takes a message, and answers no questions, because of a limit. */
  | { do: 'take a message'; agent: AgentThere; account: string; greeting: string; limit: CallLimit }
  /**
   * The caller is put through. At Retell an agent does that, to its `handOver`, and says the notice first: that the call is
   * recorded.
   */
  | {
      do: 'put through'
      agent: AgentThere
      account: string
      to: string
      words: string
      notice?: string
      limit?: CallLimit
    }
  /** The call ends; Vapi says the words first, Retell says nothing. */
  | { do: 'refuse'; words: string; limit?: CallLimit }

/** A call that the provider reports. */
export interface ReportedCall {
  of: 'call'
  /** The provider's id of the agent. */
  agent: string
  /** The account that the call's metadata name; null if they name none. */
  account: string | null
  report: Omit<CallReport, 'account'>
  /** Whether no further report of this call follows. */
  final: boolean
  /** The URL of the recording, which expires within a day; null if there is none. */
  recording: string | null
}
/** What the provider sent. Requests that say nothing about a finished call are `nothing`. */
export type Message = ReportedCall | { of: 'nothing' } | { of: 'forgery' }

/** What a page needs in order to join a test call. */
export const testTicket = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('vapi'), call: z.string(), url: z.url() }),
  z.object({ provider: z.literal('retell'), call: z.string(), accessToken: z.string() }),
])
export type TestTicket = z.infer<typeof testTicket>

/** The longest test call, and the longest call in which a message is taken, in seconds. */
export const longestTest = 300
export const longestMessage = 180

/** The variable at the end of every prompt, in which the answer to a ring tells the agent what is special about the call. */
export const thisCall = 'this_call'
/** Returns the value of `this_call` for an answer to a ring. */
export const instructionsOf = (answer: Exclude<RingAnswer, { do: 'refuse' }>): string =>
  answer.do === 'answer' && answer.now ? timeInstruction(answer.now) : specialInstructions[answer.do]
/** Tells the agent what day and time it is. */
export const timeInstruction = (now: string): string => `It is ${now} at the business.`

/** Keeps a customer's words from being read as a template, in which both providers fill in variables. */
export const withoutTemplates = (text: string): string => text.replace(/\{(?=[{%])/g, '{ ')

/** Returns the prompt as the provider stores it. */
export const promptOf = ({ prompt }: Pick<AgentWish, 'prompt'>): string =>
  `${withoutTemplates(prompt)}\n\n{{${thisCall}}}`

/** Our id of a provider's call. It names the provider, because ids are unique for each provider only. */
export const callIdOf = (provider: LineProvider, id: string): string => `${provider}:${id}`

/** Returns the provider that had a call; undefined if it was reported by another service. */
export const providerOfCall = (call: string): LineProvider | undefined =>
  lineProviders.find((provider) => call.startsWith(`${provider}:`))

/** Returns the provider's id of a call, or undefined if another provider had the call. */
export const providersCallId = (provider: LineProvider, call: string): string | undefined =>
  call.startsWith(`${provider}:`) ? call.slice(provider.length + 1) : undefined
