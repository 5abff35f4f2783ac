import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedTurn, TalkRequest } from '#assistant/domain/talk.ts'
import type { ServerEnv } from '#platform/server/env.ts'

/** Whose conversation it is: the id of an account, or `visitor`. */
export type TalkOwner = string

type Conversation = Pick<TalkRequest, 'place' | 'conversation'> & { owner: TalkOwner }

/** Signs a turn: what the model said and did cannot be changed, left out, or moved to another place of any conversation. */
export function signTurn(
  turn: Omit<SignedTurn, 'signature'>,
  { owner, place, conversation }: Conversation,
  env: Pick<ServerEnv, 'SUPABASE_SECRET_KEY'>,
): SignedTurn {
  const { position, line, requests, micros, after } = turn
  const messages = turn.messages.map((message) =>
    message.role === 'tool'
      ? [message.tool_call_id, message.content]
      : [
          message.content,
          (message.tool_calls ?? []).map(({ id, function: called }) => [id, called.name, called.arguments]),
        ],
  )
  const signed = ['talk', owner, place, conversation, position, line, messages, requests, micros, after]
  const signature = createHmac('sha256', env.SUPABASE_SECRET_KEY)
    .update(JSON.stringify(signed))
    .digest('base64url')
  return { ...turn, signature }
}

/** Returns whether turns are this conversation's own, each after the one before it. The oldest may be missing. */
export const areOurs = (
  turns: readonly SignedTurn[],
  conversation: Conversation,
  env: Pick<ServerEnv, 'SUPABASE_SECRET_KEY'>,
): boolean =>
  turns.every((turn, index) => {
    const before = turns[index - 1]
    const follows = !before || (turn.position === before.position + 1 && turn.after === before.signature)
    return follows && isEqual(turn.signature, signTurn(turn, conversation, env).signature)
  })

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
