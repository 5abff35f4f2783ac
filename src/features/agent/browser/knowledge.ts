import * as z from 'zod/mini'
import { noKnowledge, parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import type { StoredKnowledge } from '#agent/domain/teaching.ts'
import { supabase } from '#platform/browser/supabase.ts'

const row = z.object({ knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)), updated_at: z.string() })

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

const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
