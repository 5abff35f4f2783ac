import type { SignedTurn, TalkRequest } from '#assistant/domain/talk.ts'
import { isKeyedHash, keyedHash, type HashKey } from '#platform/server/keyed-hash.ts'

/** Whose conversation it is: the id of an account, or `visitor`. */
export type TalkOwner = string

type Conversation = Pick<TalkRequest, 'place' | 'conversation'> & { owner: TalkOwner }

/** Returns what is signed of a turn. */
function signedText(
  { position, line, requests, micros, after, ...turn }: Omit<SignedTurn, 'signature'>,
  { owner, place, conversation }: Conversation,
): string {
  const messages = turn.messages.map((message) =>
    message.role === 'tool'
      ? [message.tool_call_id, message.content]
      : [
          message.content,
          (message.tool_calls ?? []).map(({ id, function: called }) => [id, called.name, called.arguments]),
        ],
  )
  return JSON.stringify([
    'talk',
    owner,
    place,
    conversation,
    position,
    line,
    messages,
    requests,
    micros,
    after,
  ])
}

/** Signs a turn: what the model said and did cannot be changed, left out, or moved to another place of any conversation. */
export const signTurn = (
  turn: Omit<SignedTurn, 'signature'>,
  conversation: Conversation,
  env: HashKey,
): SignedTurn => ({ ...turn, signature: keyedHash(signedText(turn, conversation), env) })

/** Returns whether turns are this conversation's own, each after the one before it. The oldest may be missing. */
export const areOurs = (turns: readonly SignedTurn[], conversation: Conversation, env: HashKey): boolean =>
  turns.every((turn, index) => {
    const before = turns[index - 1]
    const follows = !before || (turn.position === before.position + 1 && turn.after === before.signature)
    return follows && isKeyedHash(turn.signature, signedText(turn, conversation), env)
  })
