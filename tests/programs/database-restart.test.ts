import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSupabase, type Supabase } from '../../local/supabase/start.ts'
import { migrationsDir, testKeys, testUrl } from '../support/supabase.ts'

let data: string
beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'deskbell-restart-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

const start = (migrations = migrationsDir): Promise<Supabase> =>
  startSupabase({
    dataDir: path.join(data, 'database'),
    storageDir: path.join(data, 'files'),
    migrationsDir: migrations,
    keys: testKeys,
    siteUrl: 'http://localhost',
  })

const clientOf = (supabase: Supabase) =>
  createClient(testUrl, testKeys.secret, {
    auth: { persistSession: false },
    global: { fetch: (input, init) => supabase.fetch(new Request(input, init)) },
  })

test('data of an earlier schema → refused with the remedy, and kept', async () => {
  const earlier = path.join(data, 'earlier/migrations')
  await mkdir(earlier, { recursive: true })
  await copyFile(path.join(migrationsDir, '../config.toml'), path.join(earlier, '../config.toml'))
  const write = (sql: string) => writeFile(path.join(earlier, '20261101000001_notes.sql'), sql)
  await write(
    `-- Notes.\ncreate table public.notes (words text);\ninsert into public.notes values ('kept');\n`,
  )
  await (await start(earlier)).close()

  await expect(start()).rejects.toThrow(
    `The data in ${data} has an earlier schema: delete that directory to start again.`,
  )
  await write(`-- Holds notes.\ncreate table public.notes (\n  words text\n);`)
  await expect(start(earlier)).rejects.toThrow('has an earlier schema')

  await write(`create table public.notes (words text); -- Held.\n\ninsert into public.notes values ('kept');`)
  const again = await start(earlier)
  expect(await again.query('select words from public.notes')).toEqual([{ words: 'kept' }])
  await again.close()
})

const killed =
  '42. kill -9 during the very first start → the next start works; rows, files, sessions and grants survive a restart'
test(killed, { timeout: 180_000 }, async () => {
  const script = `
    const { startSupabase } = await import(${JSON.stringify(path.resolve('local/supabase/start.ts'))})
    await startSupabase(${JSON.stringify({
      dataDir: path.join(data, 'database'),
      storageDir: path.join(data, 'files'),
      migrationsDir,
      keys: testKeys,
      siteUrl: 'http://localhost',
    })})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // The files of the database exist, but its first start has not finished.
  await vi.waitUntil(() => existsSync(path.join(data, 'database', 'PG_VERSION')), {
    timeout: 90_000,
    interval: 5,
  })
  child.kill('SIGKILL')
  await ended
  // The moment of the kill is random. This is the state after the worst one.
  await rm(path.join(data, 'database', 'global', 'pg_control'), { force: true })
  expect(existsSync(path.join(data, 'database.ready'))).toBe(false)

  const first = await start()
  expect(await first.query('select count(*)::int as users from public.users')).toEqual([{ users: 0 }])
  const service = clientOf(first)
  const user = await service.auth.admin.createUser({
    email: 'kept@example.com',
    password: 'a phrase',
    email_confirm: true,
  })
  const id = user.data.user?.id ?? ''
  const upload = await service.storage
    .from('voice-samples')
    .upload(`${id}/voice.mp3`, Buffer.from('sound'), { contentType: 'audio/mpeg' })
  expect(upload.error).toBeNull()
  await first.close()

  // And no migration runs twice.
  const second = await start()
  expect(second.appliedMigrations).toEqual(first.appliedMigrations)
  const again = clientOf(second)
  expect((await again.from('users').select('email').eq('id', id).single()).data).toEqual({
    email: 'kept@example.com',
  })
  expect(
    (await again.auth.signInWithPassword({ email: 'kept@example.com', password: 'a phrase' })).error,
  ).toBeNull()
  const file = await clientOf(second).storage.from('voice-samples').download(`${id}/voice.mp3`)
  expect(await file.data?.text()).toBe('sound')
  const [granted] = await second.query<{ granted: boolean }>(
    `select has_table_privilege('anon', 'public.user_subscriptions', 'select') as granted`,
  )
  expect(granted).toEqual({ granted: false })
  await second.close()
})
