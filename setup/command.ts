import { existsSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs a command of the deployment with the variables of the shell and of `.env`; the shell's take precedence. If it fails,
 * prints the reason without a stack trace, and exits with status 1.
 */
export async function runCommand(command: (environment: Environment) => Promise<void> | void): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    await command(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** @throws Error that lists the problems, one a line, if there are any */
export function stopAt(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
