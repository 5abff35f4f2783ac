import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Source } from '#assistant/domain/site-prompt.ts'
import { talkEvent, type SignedTurn, type TalkEvent, type TalkRequest } from '#assistant/domain/talk.ts'
import { services } from '#platform/server/services.ts'
import type { ChatAnswer, ChatRequest } from '../../local/ai/chat.ts'
import { mounts } from '../../local/environment.ts'
import type { World } from './world.ts'

/** What the site's agent answers from in tests. The build writes it otherwise (src/pages/talk.json.ts). */
export const talkSources: readonly Source[] = [
  { id: 'faq/hipaa', title: 'Is it HIPAA compliant?', url: '/faq#hipaa', text: 'No. We sign no BAA.' },
  { id: 'answers/refund', title: 'Can I get my money back?', url: '/terms#refunds', text: 'Within 14 days.' },
]

interface Said {
  status: number
  events: TalkEvent[]
  text: string
  /** The last event: how it ended. */
  end: Extract<TalkEvent, { type: 'answered' | 'form' }> | undefined
  turn: SignedTurn
  error: { code: string } | undefined
}

/** Conversations with the model of a world. */
export function talkIn(world: World) {
  const request = (line: string, more: Partial<TalkRequest> = {}): TalkRequest => ({
    place: 'site',
    conversation: randomUUID(),
    turns: [],
    line,
    page: '/pricing',
    ...more,
  })
  async function say(
    line: string,
    more: Partial<TalkRequest> = {},
    headers?: Record<string, string>,
  ): Promise<Said> {
    const response = await world.open('talk', request(line, more), headers)
    const text = await response.text()
    if (response.status !== 200)
      return {
        status: response.status,
        events: [],
        text,
        end: undefined,
        turn: undefined as never,
        error: (JSON.parse(text) as { error: { code: string } }).error,
      }
    const events = text
      .trim()
      .split('\n')
      .map((each) => z.parse(talkEvent, JSON.parse(each)))
    const last = events.at(-1)
    const end = last?.type === 'answered' || last?.type === 'form' ? last : undefined
    return {
      status: 200,
      events,
      text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
      end,
      turn: (end?.type === 'answered' ? end.turn : undefined) as SignedTurn,
      error: undefined,
    }
  }
  const model = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${world.origin}${mounts.model}/test/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as T
  }
  return {
    request,
    say,
    /** Chooses the model, and its prices in dollars a million tokens. */
    use(TALK_MODEL: string, priceIn = '0.4', priceOut = '1.6') {
      Object.assign(services().env, { TALK_MODEL, TALK_PRICE_IN: priceIn, TALK_PRICE_OUT: priceOut })
    },
    /** Writes what the scripted model answers, one entry a request. */
    script: (...answers: ChatAnswer[]) => model('script', answers),
    /** Returns what was asked of the model since the last script. */
    asked: () => model<{ body: ChatRequest; isAborted: boolean }[]>('requests'),
    /** The requests to the model that were written down for a conversation, oldest first. */
    usage: (conversation: string) =>
      world.sql<{ payer: string; micros: number; input_tokens: number | null; address: string | null }>(
        'select payer, micros::integer, input_tokens, address from private.talk_requests where conversation = $1 order by id',
        [conversation],
      ),
    setting: (name: string, value: number) =>
      world.sql('update private.settings set value = $2 where name = $1', [name, value]),
  }
}
