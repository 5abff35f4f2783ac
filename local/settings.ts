import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { localEnvironment } from './environment.ts'

export interface Settings {
  port: number
  /** The address to listen on: `HOST`, else this machine alone. In a container, 0.0.0.0. */
  host: string
  origin: string
  /** Directory of the database, the files and the stand-ins' state. */
  data: string
  /** Our own variables, complete. */
  environment: Record<string, string>
}

/** Reads `.env`; what the shell says stands over it. */
export function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/** `.env`, then the shell over it, then local values for what both leave open; put into this process's environment. */
export function readSettings(): Settings {
  readEnvironmentFile()
  const settings = settingsOf(process.env)
  Object.assign(process.env, settings.environment)
  return settings
}

/** @throws Error when PORT is no port */
export function settingsOf(given: Record<string, string | undefined>): Settings {
  const port = portOf(given.PORT)
  return {
    port,
    host: given.HOST || '127.0.0.1',
    origin: `http://localhost:${port}`,
    data: resolve(given.DESKBELL_DATA || '.local'),
    environment: localEnvironment({ port, given: ours(given) }),
  }
}

function portOf(value: string | undefined): number {
  const port = Number(value || 4321)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is no port: ${value}`)
  return port
}

/** Our own variables among everything the shell carries. */
function ours(all: Record<string, string | undefined>): Record<string, string | undefined> {
  const names = /^(PUBLIC_|SUPABASE_|STRIPE_|MAIL_|VOICE_|BUILD_HOOK_URL$)/
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.test(name)))
}
