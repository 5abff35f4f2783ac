import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSupabase } from '../../local/supabase/start.ts'
import { openDatabase, runAsSuperuser, startServer } from './postgres.ts'
import { migrationsDir, sharedServer, template, testKeys } from './supabase.ts'

/** Starts one PostgreSQL for all files of a run, and applies the migrations once. Returns what ends it. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startServer()
  await runAsSuperuser(server.port, `create database ${template} template postgres owner postgres`)
  const { host, close } = openDatabase(server.port, template)
  const storageDir = await mkdtemp(join(tmpdir(), 'deskbell-files-'))
  const siteUrl = 'http://localhost'
  const supabase = await startSupabase({ storageDir, migrationsDir, keys: testKeys, siteUrl, database: host })
  await supabase.close()
  await close()
  await rm(storageDir, { recursive: true, force: true })
  process.env[sharedServer] = String(server.port)
  return server.close
}
