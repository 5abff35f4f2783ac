import * as z from 'zod/mini'
import { talkLimits } from './talk-limits.ts'

/** Where a conversation takes place: with the site's own agent, or with the customer's in onboarding or in the portal. */
export const talkPlaces = ['site', 'onboarding', 'portal'] as const
export type TalkPlace = (typeof talkPlaces)[number]

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
export type ToolCall = z.infer<typeof toolCall>

/** A message of the model, or what one of its tools returned. */
const turnMessage = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('assistant'),
    content: z.nullable(z.string()),
    tool_calls: z.optional(z.array(toolCall)),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])
export type TurnMessage = z.infer<typeof turnMessage>

/** The answer to a line: all messages of it under one signature (server/signed-turns.ts). A page keeps it, and sends it back as it is. */
export const signedTurn = z.object({
  /** The number of turns before it. */
  position: z.int().check(z.minimum(0)),
  line: z.string(),
  messages: z.array(turnMessage),
  /** The requests to the model, and their cost in millionths of a dollar, from the conversation's beginning. */
  requests: z.int(),
  micros: z.int(),
  /** The signature of the turn before it; empty for the first. */
  after: z.string(),
  signature: z.string(),
})
export type SignedTurn = z.infer<typeof signedTurn>

/** The request body of talk. */
export const talkRequest = z.object({
  place: z.enum(talkPlaces),
  /** Made by the page for each conversation. */
  conversation: z.uuid(),
  /** The conversation so far, oldest first; the oldest turns may be left out. */
  turns: z.array(signedTurn).check(z.maxLength(talkLimits.turns)),
  line: z.string().check(z.trim(), z.minLength(1), z.maxLength(talkLimits.line)),
  /** The path of the page on which it is said. */
  page: z.string().check(z.maxLength(200), z.regex(/^\/[!-~]*$/)),
})
export type TalkRequest = z.infer<typeof talkRequest>

/** What a page does besides showing words. */
export const talkActions = [
  /** Opens the form for an answer of a person. */
  'person',
  /** A complaint: the same form. */
  'complaint',
  /** Somebody is in danger: the agent has said whom to call. */
  'emergency',
  /** A request was passed on to the operator. */
  'lead',
  /** On the phone, the call would be put through to a person now. */
  'transfer',
  /** On the phone, the call would end now. */
  'end_call',
] as const
export type TalkAction = (typeof talkActions)[number]

/** Why a conversation does not go on, and the page offers the form for an answer of a person. */
export const formReasons = [
  /** Today's money is used up: for the day, the address or the conversation. */
  'budget',
  /** The model refuses, does not answer, or is too slow. */
  'unavailable',
  /** The conversation has as many turns as it may have. */
  'too_long',
] as const
export type FormReason = (typeof formReasons)[number]

/** A line of the answer's stream. The last one is `answered` or `form`; a stream that ends without was cut off. */
export const talkEvent = z.discriminatedUnion('type', [
  /** Words of the agent, to be shown after those before them, as text and never as markup. */
  z.object({ type: z.literal('text'), text: z.string() }),
  /** A page that says so. */
  z.object({ type: z.literal('source'), title: z.string(), url: z.string() }),
  z.object({ type: z.literal('action'), action: z.enum(talkActions) }),
  z.object({ type: z.literal('answered'), turn: signedTurn }),
  z.object({ type: z.literal('form'), reason: z.enum(formReasons) }),
])
export type TalkEvent = z.infer<typeof talkEvent>
