import { storedSession } from '#account/browser/stored-session.ts'
import { talkLimits } from '#assistant/domain/talk-limits.ts'
import type { FormReason, SignedTurn, TalkEvent, TalkRequest } from '#assistant/domain/talk.ts'

/** How the answer to a line ended. */
export type TalkEnd =
  | { kind: 'answered'; turn: SignedTurn }
  | { kind: 'form'; reason: FormReason }
  /** Too many lines were sent; in so many seconds there may be another. */
  | { kind: 'busy'; seconds: number }
  /** The customer's session is over. */
  | { kind: 'signedOut' }
  /** There is no connection, or the answer was cut off. */
  | { kind: 'unreachable' }
  /** The signal ended it. */
  | { kind: 'stopped' }

/** How long an answer may take: longer than the function's own limit. */
const longestMs = 50_000

/** The wait if a server says that it is too busy, and not for how long. */
const usualWaitSeconds = 60

/**
 * Says a line to the function `talk`, as the customer who is logged in, if any.
 * @param onEvent receives words, sources and actions as they come
 * @param signal ends the answer
 * @returns how it ended, never an exception. If the turn's position is 0, the turns before it no longer count
 */
export async function talk(
  request: TalkRequest,
  onEvent: (event: TalkEvent) => void,
  signal: AbortSignal,
): Promise<TalkEnd> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  const timer = setTimeout(end, longestMs)
  signal.addEventListener('abort', end)
  try {
    let response = await post(request, ended.signal)
    // The turns are not of this account or this release: the line is the first one of the conversation.
    if (response.status === 409) response = await post({ ...request, turns: [] }, ended.signal)
    if (response.ok) return await read(response.body!, onEvent)
    if (response.status === 401) return { kind: 'signedOut' }
    if (response.status !== 429) return { kind: 'form', reason: 'unavailable' }
    return { kind: 'busy', seconds: Number(response.headers.get('retry-after')) || usualWaitSeconds }
  } catch {
    return { kind: signal.aborted ? 'stopped' : 'unreachable' }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

function post(request: TalkRequest, signal: AbortSignal): Promise<Response> {
  const token = storedSession()?.accessToken
  return fetch('/.netlify/functions/talk', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: bodyOf(request),
    signal,
  })
}

/** Returns a request as JSON. If it is too large, its oldest turns are left out. */
function bodyOf(request: TalkRequest): string {
  const body = JSON.stringify(request)
  return request.turns.length > 0 && new Blob([body]).size > talkLimits.body
    ? bodyOf({ ...request, turns: request.turns.slice(1) })
    : body
}

/** Reads the events of an answer, each a line of JSON, until the one that ends it. */
async function read(body: ReadableStream<Uint8Array>, onEvent: (event: TalkEvent) => void): Promise<TalkEnd> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let held = ''; ;) {
    const { done, value } = await reader.read()
    if (done) return { kind: 'unreachable' }
    const lines = (held + decoder.decode(value, { stream: true })).split('\n')
    held = lines.pop()!
    for (const line of lines) {
      const event = JSON.parse(line) as TalkEvent
      if (event.type === 'answered') return { kind: 'answered', turn: event.turn }
      if (event.type === 'form') return { kind: 'form', reason: event.reason }
      onEvent(event)
    }
  }
}

/** Returns a random UUID, also on a page without HTTPS, which has no `crypto.randomUUID`. */
export function newConversation(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-')
}
