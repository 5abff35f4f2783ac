import * as z from 'zod/mini'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { bearerToken, signedInUser, unauthorized } from '#account/server/signed-in-user.ts'
import { siteRole } from '#assistant/domain/role.ts'
import { sitePrompt, sourceMarks, type Source } from '#assistant/domain/site-prompt.ts'
import type { TalkEvent, TalkRequest, TurnMessage } from '#assistant/domain/talk.ts'
import { talkLimits } from '#assistant/domain/talk-limits.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { ipAddressOf } from '#platform/server/rate-limit.ts'
import type { Services } from '#platform/server/services.ts'
import { nowAt } from '#telephony/domain/ring.ts'
import { promptOf, thisCall, timeInstruction } from '#telephony/domain/voice-line.ts'
import { agentMaterial, specOf } from '#telephony/server/agent-material.ts'
import { reserve, settle } from './budget.ts'
import { complete, costOf, modelOf, ModelError, worstCase, type Model, type ModelAnswer } from './model.ts'
import { phoneTools } from './phone-tools.ts'
import { areOurs, signTurn } from './signed-turns.ts'
import { siteTools, type Customer } from './site-tools.ts'
import { siteSources } from './site-sources.ts'
import { describe, runTool, type TalkTool } from './talk-tools.ts'

const failures = {
  absent: { code: 'not_configured', message: 'No language model is connected.' },
  history: { code: 'history_refused', message: 'This conversation cannot be continued. Please ask again.' },
  noAgent: { code: 'no_subscription', message: 'There is no agent to test yet.' },
} as const satisfies Record<string, Failure>
const failed = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure })

/** What the model is told at the beginning, and what it can do. */
interface Brain {
  prompt: string
  greeting: string
  tools: TalkTool[]
  /** The pages that it may name. */
  sources: readonly Source[]
}

/** Everything that a line is answered with. */
interface Talk extends Brain {
  request: TalkRequest
  owner: string
  model: Model
  connected: Services
  invocation: Invocation
}

/**
 * Answers a line of a visitor or a customer by the language model, as the site's agent or as the customer's own. The
 * conversation is the page's, and signed by us; who speaks is the session's word.
 * @throws DatabaseError
 */
export async function talk(
  request: TalkRequest,
  connected: Services,
  invocation: Invocation,
): Promise<Result<(signal: AbortSignal) => AsyncIterable<TalkEvent>>> {
  const model = modelOf(connected.env)
  if (!model) return failed(failures.absent)
  const customer = await customerOf(invocation.request, connected)
  if (!customer.ok && (request.place !== 'site' || customer.failure.code !== 'unauthorized')) return customer
  const signedIn = customer.ok ? customer.value : undefined
  const owner = signedIn?.id ?? 'visitor'
  if (!areOurs(request.turns, { ...request, owner }, connected.env)) return failed(failures.history)
  const brain =
    request.place === 'site'
      ? await siteBrain(request, signedIn, connected, invocation)
      : await customersBrain(signedIn?.id ?? '', request.conversation, connected)
  if (!brain) return failed(failures.noAgent)
  return {
    ok: true,
    value: (signal) => answer({ ...brain, request, owner, model, connected, invocation }, signal),
  }
}

async function customerOf(request: Request, connected: Services): Promise<Result<Customer>> {
  const token = bearerToken(request)
  if (!token) return failed(unauthorized)
  const user = await signedInUser(request, connected)
  return user.ok ? { ok: true, value: { id: user.value.id, token } } : user
}

async function siteBrain(
  request: TalkRequest,
  customer: Customer | undefined,
  connected: Services,
  invocation: Invocation,
): Promise<Brain> {
  const sources = await siteSources(connected.env)
  const tools = siteTools(request, customer, connected, invocation)
  return { prompt: sitePrompt(sources), greeting: siteRole.greeting, tools, sources }
}

/** Returns what the phone agent of an account is; undefined if the account has no subscription. */
async function customersBrain(
  account: string,
  conversation: string,
  { supabase, env }: Services,
): Promise<Brain | undefined> {
  const material = await runSql(supabase, 'agent_to_try', { p_user_id: account }, z.nullable(agentMaterial))
  if (!material) return undefined
  const spec = specOf(account, material, env)
  const now = timeInstruction(nowAt(spec.timeZone, Date.now()))
  return {
    prompt: promptOf(spec).replace(`{{${thisCall}}}`, () => now),
    greeting: spec.greeting,
    tools: phoneTools(spec, conversation, supabase),
    sources: [],
  }
}

/** Answers a line: asks the model, runs the tools that it calls, and asks again, a few times at most. */
async function* answer(talk: Talk, signal: AbortSignal): AsyncGenerator<TalkEvent> {
  const { request, owner, connected, sources } = talk
  const before = request.turns.at(-1)
  const position = before ? before.position + 1 : 0
  if (position >= talkLimits.turns) return yield { type: 'form', reason: 'too_long' }
  const told: TurnMessage[] = []
  const spent = { requests: before?.requests ?? 0, micros: before?.micros ?? 0 }
  const marks = sourceMarks(sources)
  const shown = function* (text: string): Generator<TalkEvent> {
    if (text) yield { type: 'text', text }
    for (const { title, url } of marks.take()) yield { type: 'source', title, url }
  }
  try {
    for (let step = 1; step <= talkLimits.steps; step++) {
      const asked = ask(talk, told, step < talkLimits.steps, signal)
      let next = await asked.next()
      for (; !next.done; next = await asked.next()) yield* shown(marks.push(next.value))
      yield* shown(marks.end())
      if (!next.value) return yield { type: 'form', reason: 'budget' }
      const { message, micros } = next.value
      spent.requests++
      spent.micros += micros
      told.push(message)
      if (!message.tool_calls) break
      for (const { id, function: called } of message.tool_calls) {
        const { content, action } = await runTool(talk.tools, called)
        told.push({ role: 'tool', tool_call_id: id, content })
        if (action) yield { type: 'action', action }
      }
      if (message.content) yield { type: 'text', text: ' ' }
    }
  } catch (error) {
    if (signal.aborted) logNotice('talk', { ended: 'aborted', step: told.length })
    else logFailure('talk', error)
    return yield { type: 'form', reason: 'unavailable' }
  }
  const { line } = request
  const turn = { position, line, messages: told, ...spent, after: before?.signature ?? '' }
  yield { type: 'answered', turn: signTurn(turn, { ...request, owner }, connected.env) }
}

/**
 * Sends one request to the model, within the budget, and yields its words. A request whose end is not reported has cost what
 * was reserved.
 * @returns undefined if the budget is used up
 * @throws ModelError
 */
async function* ask(
  { request, owner, prompt, greeting, tools, model, connected, invocation }: Talk,
  told: readonly TurnMessage[],
  mayCall: boolean,
  signal: AbortSignal,
): AsyncGenerator<string, (Pick<ModelAnswer, 'message'> & { micros: number }) | undefined> {
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: prompt },
    { role: 'assistant', content: greeting },
    ...request.turns.flatMap((turn): ChatCompletionMessageParam[] => [
      { role: 'user', content: turn.line },
      ...turn.messages,
    ]),
    { role: 'user', content: request.line },
    ...told,
  ]
  const sent = { messages, tools: tools.map(describe), mayCall }
  const most = worstCase(sent, model)
  const payer = {
    payer: owner === 'visitor' ? ('visitors' as const) : ('customers' as const),
    place: request.place,
    conversation: request.conversation,
    ipAddress: ipAddressOf(invocation.request),
  }
  const reservation = await reserve(most, payer, connected, invocation.defer)
  if (reservation === undefined) return undefined
  try {
    const { message, usage } = yield* complete(sent, model, signal)
    const micros = usage ? costOf(usage, model) : most
    if (usage) await settle(reservation, micros, usage, connected)
    return { message, micros }
  } catch (error) {
    if (error instanceof ModelError && error.isRefused)
      await settle(reservation, 0, { input: 0, output: 0 }, connected)
    throw error
  }
}
