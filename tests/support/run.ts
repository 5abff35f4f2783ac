import { spawn } from 'node:child_process'
import path from 'node:path'

interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

/**
 * Runs a shell command with our Node and only this environment. It is asynchronous, so that servers of this process
 * continue to answer. With another `cwd`, the `.env` file of this folder is not read.
 */
export function run(command: string, environment: Record<string, string>, cwd?: string): Promise<Outcome> {
  const child = spawn(command, {
    shell: true,
    cwd,
    env: { PATH: path.dirname(process.execPath), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const outcome: Outcome = { status: null, stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => (outcome[stream] += String(chunk)))
  return new Promise((resolve) => child.once('close', (status) => resolve({ ...outcome, status })))
}
