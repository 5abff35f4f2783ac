import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { localEnvironment } from './environment.ts'

interface Settings {
  port: number
  /** The address to listen on: `HOST`, by default only this machine. In a container use 0.0.0.0. */
  host: string
  origin: string
  /** The directory of the database, the files and the state of the stand-ins. */
  data: string
  /** All of our own variables. */
  environment: Record<string, string>
}

/** Reads `.env` into this process's environment; variables of the shell take precedence. */
export function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/**
 * Reads the settings from the shell, else from `.env`, else from the local defaults, and puts them into this process's
 * environment.
 */
export function readSettings(): Settings {
  readEnvironmentFile()
  const settings = settingsOf(process.env)
  Object.assign(process.env, settings.environment)
  return settings
}

/** @throws Error if PORT is not a port */
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
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is not a port: ${value}`)
  return port
}

/** Returns our own variables among all those of the shell. */
function ours(all: Record<string, string | undefined>): Record<string, string | undefined> {
  const names = /^(PUBLIC_|SUPABASE_|STRIPE_|MAIL_|VOICE_|VAPI_|BUILD_HOOK_URL$)/
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.test(name)))
}
