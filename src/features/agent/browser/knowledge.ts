import * as z from 'zod/mini'
import { noKnowledge, parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import { readPageAnswer, type ReadPageAnswer } from '#agent/domain/contracts.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import type { Result } from '#platform/domain/result.ts'

const row = z.object({ knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)), updated_at: z.string() })

/** A stored document with its version; the version is null before the first save. */
export interface StoredKnowledge {
  knowledge: AgentKnowledge
  version: string | null
}

/** Reads what this customer's agent knows; undefined without a readable answer. */
export async function readKnowledge(userId: string): Promise<StoredKnowledge | undefined> {
  const { data, error } = await supabase()
    .from('agent_knowledge')
    .select('knowledge, updated_at')
    .eq('user_id', userId)
    .maybeSingle()
  if (error) return undefined
  if (!data) return { knowledge: { ...noKnowledge, timeZone: browserTimeZone() }, version: null }
  const parsed = z.safeParse(row, data).data
  return parsed && { knowledge: parsed.knowledge, version: parsed.updated_at }
}

export type SaveOutcome =
  | { kind: 'saved'; version: string }
  /** Another tab or device has saved since `version`. */
  | { kind: 'overtaken'; theirs: StoredKnowledge }
  | { kind: 'failed' }

/** Saves a document over the version that it is based on. */
export async function saveKnowledge(
  userId: string,
  knowledge: AgentKnowledge,
  version: string | null,
): Promise<SaveOutcome> {
  const table = supabase().from('agent_knowledge')
  const { data, error } = await (
    version === null
      ? table.upsert({ user_id: userId, knowledge }, { onConflict: 'user_id', ignoreDuplicates: true })
      : table.update({ knowledge }).eq('user_id', userId).eq('updated_at', version)
  )
    .select('updated_at')
    .maybeSingle()
  if (error) return { kind: 'failed' }
  if (data) return { kind: 'saved', version: data.updated_at }
  const theirs = await readKnowledge(userId)
  return theirs?.version ? { kind: 'overtaken', theirs } : { kind: 'failed' }
}

/** Writes the browser's time zone for an agent that knows nothing yet; it would go by UTC. */
export async function keepTimeZone(userId: string): Promise<void> {
  await supabase()
    .from('agent_knowledge')
    .upsert(
      { user_id: userId, knowledge: { timeZone: browserTimeZone() } },
      { onConflict: 'user_id', ignoreDuplicates: true },
    )
}

const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Reads the text of a page of the public web. */
export async function readPage(address: string): Promise<Result<ReadPageAnswer, FunctionFailure>> {
  const url = /^[a-z]+:/i.test(address) ? address : `https://${address}`
  return invokeAsUser('read-page', { url }, readPageAnswer)
}
