import { existsSync } from 'node:fs'
import path from 'node:path'
import type { PGliteOptions } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp'
import { App, getStorageSchemaSql, setExperimental, type Connection } from '@supabase/lite'
import { createPgliteConnection } from '@supabase/lite/pglite'
import { createQueue } from '#platform/domain/queue.ts'
import { openPart } from '../damaged.ts'
import { createAdminApi } from './admin-api.ts'
import { watchDatabaseErrors } from './database-errors.ts'
import { applyMigrations, followsMigrations } from './migrations.ts'
import { keepPersonalDataOut } from './personal-data.ts'
import { platformSql } from './platform.sql.ts'
import { readProjectConfig, type Keys } from './project-config.ts'
import { applyRequestSettings } from './request-settings.ts'
import { createRequestHandler } from './requests.ts'
import { createSecondFactor } from './second-factor.ts'
import type { SqlDatabase } from './sql-database.ts'
import { createStorageAdapter } from './storage-adapter.ts'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'

interface SupabaseOptions {
  /** The directory of the database, which is created if missing. In memory if absent. */
  dataDir?: string
  /** The directory of the stored files. */
  storageDir: string
  /** The directory of the migrations, or of the schemas; config.toml is in its parent. */
  migrationsDir: string
  keys: Keys
  /** The origin of the site, for links. */
  siteUrl: string
  /** A database to start from, made by {@link Supabase.dump}. */
  snapshot?: Blob
  /** A database in place of the embedded one. */
  database?: DatabaseHost
  log?: (line: string) => void
}

/** A database that runs. */
export interface DatabaseHost {
  connection: Connection
  /** Runs as the superuser that makes what the platform brings. */
  platform: SqlDatabase
  /** Runs as the owner of what the migrations make. */
  owner: SqlDatabase
  /** Makes what the platform has beyond platform.sql.ts, before the first migration. */
  prepare(): Promise<void>
  /** Runs a task, in turn with the others if the database has a single session. */
  enqueue<T>(task: () => Promise<T>): Promise<T>
  dump(): Promise<Blob>
}

export interface Supabase {
  /** Handles requests to /auth/v1, /rest/v1 and /storage/v1; never rejects. */
  fetch(request: Request): Promise<Response>
  /** Queues one statement among the requests, and runs it as the owner of the database, without policies. */
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>
  /** The versions of the applied migrations, in order. */
  appliedMigrations: string[]
  dump(): Promise<Blob>
  close(): Promise<void>
}

/** The limit of a stored file, in bytes. */
const fileLimit = 50 * 1024 * 1024

/**
 * Starts the embedded Supabase: a real PostgreSQL with the real migrations, and the API for supabase-js. Only one process
 * may use a directory, because a second one would lose writes; the lock is taken by local/start.ts and local/dev.ts.
 * @throws Error that names the migration that failed, or the directory whose database has an earlier schema
 */
export async function startSupabase(options: SupabaseOptions): Promise<Supabase> {
  const { dataDir, keys, siteUrl, migrationsDir, log = () => undefined } = options
  const configFile = path.join(migrationsDir, '..', 'config.toml')
  if (!existsSync(configFile)) throw new Error(`There is no ${configFile}`)
  const config = await readProjectConfig(configFile, keys, siteUrl)
  const isNew = dataDir ? await prepareDataDirectory(dataDir, log) : false
  const database = options.database ?? (await openEmbedded(dataDir, options.snapshot))
  const { connection, platform, owner } = database
  keepPersonalDataOut()
  applyRequestSettings(connection)
  watchDatabaseErrors(connection)

  // The functions send our mails, with links from generateLink. Mails of the auth server would contain wrong links.
  const email = { send: () => Promise.resolve() }
  const app = new App({
    connection,
    ...config,
    options: { drivers: { email }, server: { disableStudio: true } },
  })
  app._storageAdapter = createStorageAdapter(options.storageDir, platform)
  await app.init()
  // Enabled only after init, which would log a warning. For this reason the schema is created here.
  setExperimental('storage', true)
  await app.ensureSystemSchema()
  await platform.exec(getStorageSchemaSql(false))
  await platform.exec(platformSql)
  await database.prepare()
  if (dataDir && !(await followsMigrations(connection, migrationsDir))) {
    await connection.close()
    const folder = path.dirname(dataDir)
    throw new Error(`The data in ${folder} has an earlier schema: delete that directory to start again.`)
  }
  const appliedMigrations = await applyMigrations(owner, connection, migrationsDir)
  await connection.clearSchemaCache()
  if (dataDir && isNew) await markReady(dataDir)

  const enqueue = <T>(task: () => Promise<T>) => database.enqueue(task)
  const admin = createAdminApi(platform, {
    secretKey: keys.secret,
    minimumPasswordLength: config.auth?.minimum_password_length ?? 6,
    siteUrl,
  })
  const secondFactor = createSecondFactor(platform, {
    jwtSecret: keys.jwtSecret,
    siteUrl,
    fetch: (request) => app.fetch(request),
  })
  return {
    fetch: createRequestHandler({ app, admin, secondFactor, enqueue, fileLimit, log }),
    query: <Row>(sql: string, params: unknown[] = []) =>
      enqueue(async () => (await owner.query<Row>(sql, params)).rows),
    appliedMigrations,
    dump: () => enqueue(() => database.dump()),
    close: () => enqueue(() => connection.close()),
  }
}

async function openEmbedded(dataDir: string | undefined, snapshot: Blob | undefined): Promise<DatabaseHost> {
  const connection = await openPart(dataDir, async () => {
    const opened = await createPgliteConnection({
      url: dataDir,
      pgliteOptions: pgliteOptions(snapshot),
    })
    await opened.driver.waitReady
    return opened
  })
  const { driver } = connection
  return {
    connection,
    platform: driver,
    owner: driver,
    prepare: () => Promise.resolve(),
    enqueue: createQueue(),
    dump: () => driver.dumpDataDir('none'),
  }
}

/** Converts `2026-11-20 21:00:00.5+00` to ISO 8601. */
export const isoTime = (text: string): string => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')

/** Returns timestamps and numerics in the formats of the hosted API. */
function pgliteOptions(snapshot: Blob | undefined): Omit<PGliteOptions, 'dataDir'> {
  const [timestamp, timestampWithZone, numeric] = [1114, 1184, 1700]
  return {
    extensions: { btree_gin, btree_gist, pg_trgm, uuid_ossp },
    parsers: { [timestamp]: isoTime, [timestampWithZone]: isoTime, [numeric]: Number },
    loadDataDir: snapshot,
  }
}

const markerOf = (dataDir: string): string => `${path.resolve(dataDir)}.ready`

/**
 * Prepares the directory of a database. If its first start was interrupted (it has no marker), the directory is emptied:
 * such a database cannot start again, and none of its writes was ever confirmed to a client.
 * @returns whether the database must be created; then call {@link markReady} afterwards
 */
async function prepareDataDirectory(dataDir: string, log: (line: string) => void): Promise<boolean> {
  const made = existsSync(path.join(dataDir, 'PG_VERSION'))
  if (made && existsSync(markerOf(dataDir))) return false
  if (existsSync(dataDir)) {
    log('The first start of the database was interrupted; creating it again.')
    await rm(dataDir, { recursive: true, force: true })
  }
  await rm(markerOf(dataDir), { force: true })
  await mkdir(path.dirname(path.resolve(dataDir)), { recursive: true })
  return true
}

/** Writes a marker next to the directory: its first start was completed. */
async function markReady(dataDir: string): Promise<void> {
  const draft = `${markerOf(dataDir)}.new`
  await writeFile(draft, 'The first start of this database was completed.\n')
  await rename(draft, markerOf(dataDir))
}
