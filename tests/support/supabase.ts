import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#supabase/types.ts'
import { startSupabase, type DatabaseHost, type Supabase } from '../../local/supabase/start.ts'
import { openDatabase, runAsSuperuser, startPostgres } from './postgres.ts'
import { minutesOf } from './plan-facts.ts'

export type Client = SupabaseClient<Database>

const root = path.join(import.meta.dirname, '../..')
export const migrationsDir = path.join(root, 'supabase/migrations')
export const schemasDir = path.join(root, 'supabase/schemas')
/** No server listens at this URL: clients reach the instance through their `fetch`. */
export const testUrl = 'http://supabase.test'
export const testKeys = {
  publishable: 'sb_publishable_test_0000000000000000',
  secret: 'sb_secret_test_000000000000000000000',
  jwtSecret: 'test-jwt-secret-with-at-least-32-characters',
}

export interface TestSupabase {
  supabase: Supabase
  /** Creates an unmodified supabase-js client, anonymous until it signs in. */
  client(key?: string, headers?: Record<string, string>): Client
  anon: Client
  /** A client with the secret key. */
  service: Client
  /** Creates a confirmed account and signs its client in. */
  createUser(email?: string, password?: string): Promise<{ id: string; email: string; client: Client }>
  /** Creates a confirmed account with the Growth plan and signs its client in. */
  createCustomer(email?: string): Promise<{ id: string; email: string; client: Client }>
  /** Creates a confirmed admin account and signs its client in. */
  createAdmin(email?: string): Promise<{ id: string; email: string; client: Client }>
  close(): Promise<void>
}

/** The database that a test runs on: `start` opens it, `close` ends what the API does not end itself. */
export interface TestDatabase {
  start: { snapshot: Blob; migrationsDir?: string } | { database: DatabaseHost }
  close(): Promise<void>
}

/** Names the port of the server on which the files of a run have a database each (postgres-server.ts). */
export const sharedServer = 'TEST_POSTGRES_PORT'
/** The database that they are copies of: with the migrations applied. */
export const template = 'migrated'

/**
 * Opens a database with the migrations applied, or about to be applied by `startSupabase`: one of the run's server, one
 * on a real PostgreSQL of its own, or the embedded one.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const port = Number(process.env[sharedServer])
  if (process.env.TEST_DATABASE !== 'postgres')
    return { start: { snapshot: await migratedSnapshot() }, close: () => Promise.resolve() }
  if (!port) {
    const { host, close } = await startPostgres()
    return { start: { database: host }, close }
  }
  const name = `file_${randomUUID().replaceAll('-', '')}`
  // Without the write-ahead log, which takes five times as long.
  await runAsSuperuser(port, `create database ${name} template ${template} owner postgres strategy file_copy`)
  const { host, close } = openDatabase(port, name)
  return { start: { database: host }, close }
}

/** Starts a Supabase, on a database without data if none is given. This takes about a second. */
export async function startTestSupabase(given?: TestDatabase): Promise<TestSupabase> {
  const storageDir = await mkdtemp(path.join(tmpdir(), 'deskbell-files-'))
  const database = given ?? (await openTestDatabase())
  const supabase = await startSupabase({
    storageDir,
    migrationsDir,
    keys: testKeys,
    siteUrl: 'http://localhost',
    ...database.start,
    log: (line) => console.error(line),
  })
  const client = (key = testKeys.publishable, headers: Record<string, string> = {}): Client =>
    createClient<Database>(testUrl, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { headers, fetch: (input, init) => supabase.fetch(new Request(input, init)) },
    })
  const service = client(testKeys.secret)

  async function createUser(email = `${randomUUID()}@example.com`, password = 'correct horse') {
    const created = await service.auth.admin.createUser({ email, password, email_confirm: true })
    if (created.error) throw created.error
    const own = client()
    const signedIn = await own.auth.signInWithPassword({ email, password })
    if (signedIn.error) throw signedIn.error
    return { id: created.data.user.id, email, client: own }
  }

  return {
    supabase,
    client,
    anon: client(),
    service,
    createUser,
    async createCustomer(email) {
      const user = await createUser(email)
      await service
        .from('user_subscriptions')
        .insert({
          user_id: user.id,
          plan: 'growth',
          billing_status: 'active',
          minutes_limit: minutesOf('growth'),
        })
        .throwOnError()
      return user
    },
    async createAdmin(email) {
      const user = await createUser(email)
      await service.rpc('make_admin', { p_user_id: user.id, p_needs_factor: false }).throwOnError()
      return user
    },
    async close() {
      await supabase.close()
      await database.close()
      await rm(storageDir, { recursive: true, force: true })
    },
  }
}

/**
 * Returns a database with the files of a directory applied: the migrations or the schemas. It is cached until one of them
 * or the code that applies them changes.
 */
export async function migratedSnapshot(applied = migrationsDir): Promise<Blob> {
  const file = path.join(root, 'node_modules/.cache/deskbell', `database-${await fingerprint(applied)}.tar`)
  const cached = await readFile(file).catch(() => undefined)
  if (cached) return new Blob([cached])
  const storageDir = await mkdtemp(path.join(tmpdir(), 'deskbell-files-'))
  const supabase = await startSupabase({
    storageDir,
    migrationsDir: applied,
    keys: testKeys,
    siteUrl: 'http://localhost',
  })
  const snapshot = await supabase.dump()
  await supabase.close()
  await rm(storageDir, { recursive: true, force: true })
  const draft = `${file}.${randomUUID()}`
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(draft, Buffer.from(await snapshot.arrayBuffer()))
  await rename(draft, file)
  return snapshot
}

async function fingerprint(applied: string): Promise<string> {
  const hash = createHash('sha256')
  const local = path.join(root, 'local/supabase')
  const sources = [
    ...(await readdir(applied)).sort().map((file) => path.join(applied, file)),
    path.join(local, 'platform.sql.ts'),
    path.join(local, 'start.ts'),
    path.join(root, 'package-lock.json'),
  ]
  for (const source of sources) hash.update(source).update(await readFile(source))
  return hash.digest('hex').slice(0, 16)
}
