import * as z from 'zod/mini'
import { runSql } from '#platform/server/database.ts'
import { scheduled } from '#platform/server/http.ts'

/** Runs every hour: removes the requests to the language model that are older than `talk_days`. */
export default scheduled('forget-talk', async ({ supabase }) =>
  runSql(supabase, 'forget_talk', {}, z.array(z.unknown())),
)

export const config = { schedule: '@hourly' }
