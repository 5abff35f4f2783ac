import * as z from 'zod/mini'
import type { Overview } from '#admin/domain/overview.ts'
import { supabase } from '#platform/browser/supabase.ts'

const overview = z.record(z.string(), z.number())

/** Counts what waits for the admin; undefined if there is no readable answer. */
export async function readOverview(): Promise<Overview | undefined> {
  const { data } = await supabase().rpc('admin_overview')
  return z.safeParse(overview, data).data
}
